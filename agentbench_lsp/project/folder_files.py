"""The files of a real folder that may become a workspace: what git ignores and what is no text stays out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LARGEST = 256_000  # bytes of one file
LARGEST_TASK = 5_000_000  # bytes of all
MOST_FILES = 2_000
_PASSED_OVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".mypy_cache", ".tox"})


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file below a folder: path with forward slashes, size in bytes, why it cannot be taken (None: it can)."""

    path: str
    size: int
    refused: str | None = None


class FolderError(ValueError):
    """A folder or a file cannot be taken; the message says why."""


def folder_files(folder: Path) -> list[FolderFile]:
    """Files that git does not ignore, sorted; at most `MOST_FILES`. Raises FolderError."""
    if not folder.is_dir():
        raise FolderError(f"{folder} is no folder")
    found: list[FolderFile] = []
    for path in _walk(folder, _above(folder), ""):
        if len(found) >= MOST_FILES:
            raise FolderError(f"{folder} has more than {MOST_FILES:,} files: choose a folder below it")
        found.append(_described(folder, path))
    return found


def read_files(folder: Path, wanted: list[str]) -> dict[str, str]:
    """Contents by path of files that `folder_files` offers. Raises FolderError."""
    offered = {file.path: file for file in folder_files(folder)}
    contents: dict[str, str] = {}
    for path in wanted:
        file = offered.get(path)
        if file is None:
            raise FolderError(f"{path!r} is no file of {folder}, or git ignores it")
        if file.refused:
            raise FolderError(f"{path} cannot be taken: {file.refused}")
        contents[path] = (folder / path).read_bytes().decode("utf-8")
    total = sum(offered[path].size for path in contents)
    if total > LARGEST_TASK:
        raise FolderError(f"the files have {total:,} bytes together; a task may have {LARGEST_TASK:,}")
    return contents


class _Ignored:
    """The ignore file of one folder; `prefix` leads from that folder to the one that is walked."""

    def __init__(self, spec: GitIgnoreSpec, base: str) -> None:
        self._spec, self._base = spec, base

    def says(self, path: str) -> bool | None:
        """Whether the folder's file ignores an absolute path with forward slashes; None where it says nothing."""
        relative = path[len(self._base) :]
        return self._spec.check_file(relative).include


def _read_ignored(folder: Path) -> Iterator[_Ignored]:
    from pathspec import GitIgnoreSpec  # only new tasks need it

    base = folder.as_posix().rstrip("/") + "/"
    for name in (".git/info/exclude", ".gitignore"):
        try:
            lines = (folder / name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        yield _Ignored(GitIgnoreSpec.from_lines(lines), base)


def _above(folder: Path) -> list[_Ignored]:
    """The ignore files of the folders above, up to the root of the repository."""
    chain = [folder, *folder.parents]
    root = next((i for i, each in enumerate(chain) if (each / ".git").exists()), 0)
    return [ignored for each in reversed(chain[1 : root + 1]) for ignored in _read_ignored(each)]


def _walk(folder: Path, ignored: list[_Ignored], prefix: str) -> Iterator[str]:
    here = folder / prefix
    rules = [*ignored, *_read_ignored(here)]
    try:
        entries = sorted(os.scandir(here), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name in _PASSED_OVER and is_folder:
            continue
        absolute = Path(entry.path).as_posix() + ("/" if is_folder else "")
        said = (answer for rule in reversed(rules) if (answer := rule.says(absolute)) is not None)
        if next(said, False):
            continue
        if is_folder:
            yield from _walk(folder, rules, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name


def _described(folder: Path, path: str) -> FolderFile:
    file = folder / path
    try:
        status = file.lstat()
        if file.is_symlink():
            return FolderFile(path, 0, "it is a link")
        if not file.is_file():
            return FolderFile(path, 0, "it is no regular file")
        if status.st_size > LARGEST:
            return FolderFile(path, status.st_size, f"it has {status.st_size:,} bytes; a file may have {LARGEST:,}")
        content = file.read_bytes()
    except OSError as exc:
        return FolderFile(path, 0, f"it cannot be read: {exc.strerror or exc}")
    if b"\0" in content:
        return FolderFile(path, len(content), "it is binary")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as exc:
        return FolderFile(path, len(content), f"it is not UTF-8 text (byte {exc.start})")
    return FolderFile(path, len(content))

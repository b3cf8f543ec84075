"""The files of a real folder that may become a workspace: what git ignores and what is no text stays out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
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
    return [_looked_at(folder, path)[0] for path in _paths(folder)]


def read_files(folder: Path, wanted: list[str]) -> dict[str, str]:
    """Contents by path of files that `folder_files` offers. Raises FolderError."""
    offered = set(_paths(folder))
    contents: dict[str, str] = {}
    total = 0
    for path in wanted:
        if path not in offered:
            raise FolderError(f"{path!r} is no file of {folder}, or git ignores it")
        file, contents[path] = _looked_at(folder, path)
        if file.refused:
            raise FolderError(f"{path} cannot be taken: {file.refused}")
        total += file.size
    if total > LARGEST_TASK:
        raise FolderError(f"the files have {total:,} bytes together; a task may have {LARGEST_TASK:,}")
    return contents


def _paths(folder: Path) -> list[str]:
    if not folder.is_dir():
        raise FolderError(f"{folder} is no folder")
    found = list(islice(_walk(folder, _above(folder), ""), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise FolderError(f"{folder} has more than {MOST_FILES:,} files: choose a folder below it")
    return found


class _Ignored:
    """An ignore file; `base` is the folder it counts for, with a slash at the end."""

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
        yield _Ignored(GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line)), base)


def _is_pattern(line: str) -> bool:
    """False for what git passes over, too."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


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


def _looked_at(folder: Path, path: str) -> tuple[FolderFile, str]:
    """A file, and its content if it can be taken."""
    file = folder / path
    try:
        path.encode("utf-8")
        status = file.lstat()
        if file.is_symlink():
            return FolderFile(path, 0, "it is a link"), ""
        if not file.is_file():
            return FolderFile(path, 0, "it is no regular file"), ""
        size = status.st_size
        if size > LARGEST:
            return FolderFile(path, size, f"it has {size:,} bytes; a file may have {LARGEST:,}"), ""
        content = file.read_bytes()
    except OSError as exc:
        return FolderFile(path, 0, f"it cannot be read: {exc.strerror or exc}"), ""
    except UnicodeEncodeError:
        return FolderFile(path.encode("utf-8", "replace").decode(), 0, "its name is not UTF-8"), ""
    if b"\0" in content:
        return FolderFile(path, len(content), "it is binary"), ""
    try:
        return FolderFile(path, len(content)), content.decode("utf-8")
    except UnicodeDecodeError as exc:
        return FolderFile(path, len(content), f"it is not UTF-8 text (byte {exc.start})"), ""

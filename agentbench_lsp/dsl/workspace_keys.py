"""Workspace keys that cannot be files, or cannot be files together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentbench_lsp.models.paths import escapes, fold, is_absolute, parents, unusable


class KeyFault(NamedTuple):
    """A fault of the key at `position` among those given."""

    position: int
    code: str
    message: str


def key_faults(keys: Iterable[str]) -> Iterator[KeyFault]:
    """Faults of workspace keys, each on the later key where two do not fit together."""
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for i, key in enumerate(keys):
        if fault := _own_fault(key):
            yield KeyFault(i, *fault)
            continue
        path = fold(key)
        if path in files and files[path] != key:
            yield KeyFault(i, "path-collision", f"{key!r} and {files[path]!r} are the same file; keep one")
            continue
        if path in folders:
            yield KeyFault(i, "file-and-folder", f"{key!r} is a file here and a folder in {folders[path]!r}")
        for parent in parents(path):
            if parent in files:
                yield KeyFault(i, "file-and-folder", f"{files[parent]!r} is a file, so {key!r} cannot be below it")
            folders.setdefault(parent, key)
        files.setdefault(path, key)


def _own_fault(key: str) -> tuple[str, str] | None:
    if not key.strip():
        return "invalid-path", "a workspace key is blank; it must be a relative path"
    if is_absolute(key):
        return "path-escapes-workspace", f"{key!r} is absolute; workspace keys are relative paths"
    if escapes(fold(key)):
        return "path-escapes-workspace", f"{key!r} leaves the workspace; workspace keys stay inside it"
    if reason := unusable(fold(key)):
        return "invalid-path", f"{key!r} cannot be a file: {reason}"
    return None


def encoding_fault(content: str) -> str | None:
    """Why no UTF-8 file can hold this text, or None."""
    try:
        content.encode("utf-8")
    except UnicodeEncodeError as exc:
        return f"holds half of a surrogate pair at character {exc.start + 1}, which no UTF-8 file can hold"
    return None

"""What is in the documents of a folder, read once and again when a file has changed."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from agentbench_lsp.dsl.document_kind import kind_by_content, kind_by_name, shape_of
from agentbench_lsp.importers.core.importing import is_session
from agentbench_lsp.importers.core.source import Source
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.surroundings import Neighbourhood, Summary
from agentbench_lsp.models.json_text import read_text
from agentbench_lsp.syntax.nodes import to_value

_LARGEST = 50_000_000  # bytes; larger files are no tasks
_ENDINGS = (".json", ".jsonl", ".traj")  # the last two are sessions
Stamp = tuple[int, int]
Opened = Callable[[Path], Document | None]


def summarise(text: str, path: str) -> Summary | None:
    """The summary of a document's text; None for one that is not ours. Half-written ones are read as far as it goes."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = to_value(Document(text, path).root)
    shape = shape_of(value)
    kind = (kind_by_content(shape) if shape is not None else None) or kind_by_name(path)
    if not isinstance(value, dict) or shape is None or kind_by_content(shape) is None:
        document = Document(text, path)
        if document.kind == "session":
            return Summary("session")
    if kind is None or not isinstance(value, dict):
        return None
    metadata = value.get("metadata")
    return Summary(
        kind,
        _text(value.get("id")),
        _text(value.get("name")),
        _texts(value.get("tags")),
        _text(value.get("description")) or "",
        _text(metadata.get("task")) if isinstance(metadata, dict) else None,
        _texts(value.get("task_files")),
        _text(value.get("task_subset")),
        _text(value.get("trajectory")),
        _text(value.get("recorded_for")),
    )


def _of_recording(path: Path) -> Summary | None:
    """A session is known by its beginning; it may be long."""
    return Summary("session") if is_session(Source(path)) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


class Summaries:
    """Summaries by folder. `opened` gives the text that an editor has of a file."""

    def __init__(self, opened: Opened = lambda path: None) -> None:
        self._opened = opened
        self._read: dict[Path, tuple[Stamp, Summary | None]] = {}
        self._folders: dict[Path, Neighbourhood] = {}
        self._before: dict[Path, Neighbourhood] = {}  # as the folders were when they were looked at last

    def known(self, folder: Path) -> Neighbourhood | None:
        """The folder's documents, if it has been looked at since it was last forgotten."""
        return self._folders.get(folder)

    def before(self, folder: Path) -> Neighbourhood | None:
        """The folder's documents as they were when it was last looked at, forgotten or not."""
        return self._before.get(folder)

    def look(self, folder: Path) -> Neighbourhood:
        """The folder's documents, from the disk where something changed."""
        for _ in self.steps(folder):
            pass
        return self._folders[folder]

    def steps(self, folder: Path) -> Iterator[None]:
        """Look at a folder, one file a step."""
        found: dict[str, Summary] = {}
        try:
            entries = sorted((e for e in os.scandir(folder) if e.name.endswith(_ENDINGS)), key=lambda e: e.name)
        except OSError:
            entries = []
        for entry in entries:
            summary = self._summary(folder / entry.name, entry)
            if summary is not None:
                found[entry.name] = summary
            yield
        before = self._before.get(folder)
        same = before is not None and before.files == found
        self._folders[folder] = self._before[folder] = before if before is not None and same else Neighbourhood(found)

    def _summary(self, path: Path, entry: os.DirEntry[str]) -> Summary | None:
        document = self._opened(path)
        if document is not None:
            return summarise(document.text, path.as_posix())
        try:
            status = entry.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._read.get(path)
            if known is not None and known[0] == stamp:
                return known[1]
            if status.st_size > _LARGEST or not entry.is_file():
                return None
            summary = _of_recording(path) if entry.name.endswith(_ENDINGS[1:]) else None
            if entry.name.endswith(".json"):
                summary = summarise(read_text(path), path.as_posix())
            summary = replace(summary, stamp=stamp) if summary else None
        except (OSError, UnicodeDecodeError):
            return None
        self._read[path] = (stamp, summary)
        return summary

    def forget(self, folder: Path | None = None) -> None:
        """Look at a folder (default: at all) anew when it is needed next; unchanged files are not read again."""
        if folder is None:
            self._folders.clear()
        else:
            self._folders.pop(folder, None)


def read_document(path: Path) -> Document | None:
    """A document on disk; None where it cannot be read. The last ones are kept while the file is unchanged."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            return None
        return _read_document(path, (status.st_mtime_ns, status.st_size))
    except (OSError, UnicodeDecodeError, ValueError):
        return None


@lru_cache(maxsize=64)
def _read_document(path: Path, stamp: Stamp) -> Document:
    return Document(read_text(path), path.as_posix())

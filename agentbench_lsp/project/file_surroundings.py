"""The surroundings of a document that is, or could be, a file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.surroundings import Neighbourhood, Spans, Surroundings
from agentbench_lsp.models.paths import is_absolute
from agentbench_lsp.project.sessions import sessions_of
from agentbench_lsp.project.summaries import Opened, read_document

Matcher = Callable[[str, str, int], Spans | None]
Look = Callable[[Path], Neighbourhood]


class FileSurroundings(Surroundings):
    """`look` and `match` may answer that they do not know yet: an empty neighbourhood, None."""

    def __init__(self, path: Path, look: Look, match: Matcher, opened: Opened = lambda path: None) -> None:
        self._path = path
        self._look, self._match, self._opened = look, match, opened

    @property
    def name(self) -> str:
        return self._path.name

    def _resolve(self, path: str) -> Path | None:
        """None for an absolute path: what a document names is beside it."""
        return None if is_absolute(path) else Path(os.path.normpath(self._path.parent / path))

    def neighbours(self, folder: str = "") -> Neighbourhood:
        target = self._resolve(folder)
        return self._look(target) if target else Neighbourhood()

    def exists(self, path: str) -> bool | None:
        target = self._resolve(path)
        return target is not None and (self._opened(target) is not None or target.is_file())

    def document(self, path: str) -> Document | None:
        target = self._resolve(path)
        return (self._opened(target) or read_document(target)) if target else None

    def sessions(self, document: Document) -> tuple[Session, ...]:
        return sessions_of(self._path, document.text)

    def matches(self, pattern: str, text: str, flags: int = re.MULTILINE) -> Spans | None:
        return self._match(pattern, text, flags)

"""What most requests begin with: the document they are about, and the offsets of their positions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.session_document import SessionDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.server.documents import OpenDocument, file_path
from agentbench_lsp.server.positions import Encoding, offset_at, range_of

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer


@dataclass(frozen=True)
class Subject:
    """An open document of ours."""

    server: AgentBenchServer
    opened: OpenDocument
    view: DocumentView

    @property
    def document(self) -> Document:
        return self.view.document

    @property
    def encoding(self) -> Encoding:
        return self.server.documents.encoding

    def offset(self, position: types.Position) -> int:
        """Offset of a position."""
        return offset_at(self.document.lines, position, self.encoding)

    def offsets(self, where: types.Range) -> tuple[int, int]:
        """Offsets of a range."""
        return self.offset(where.start), self.offset(where.end)

    def range(self, start: int, end: int) -> types.Range:
        """Range of two offsets."""
        return range_of(self.document.lines, start, end, self.encoding)

    def resolve(self, path: str) -> Path | None:
        """The file at a path relative to this document's folder."""
        own = file_path(self.opened.uri)
        return (own.parent / path).resolve() if own else None


def subject(server: AgentBenchServer, document: types.TextDocumentIdentifier, sessions: bool = False) -> Subject | None:
    """The document that a request names, if it is open and ours.

    A session is nobody's to edit: it counts for requests that say so.
    """
    opened = server.documents.get(document.uri)
    view = server.analysis.view(opened) if opened else None
    if isinstance(view, SessionDocument) and not sessions:
        return None
    return Subject(server, opened, view) if opened and view else None

"""Sessions of agents as documents: what they are imported to, with the files that belong to them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from agentbench_lsp.importers.core.importing import NoSessionError, read_sessions
from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.importers.core.source import Source
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.session_document import SessionDocument
from agentbench_lsp.language.surroundings import Surroundings
from agentbench_lsp.language.trajectory_document import step_range


@lru_cache(maxsize=8)
def sessions_of(path: Path, text: str) -> tuple[Session, ...]:
    """The sessions in a file's text, sub-agents in the files beside it; nothing where it cannot be read."""
    try:
        return tuple(read_sessions(Source(path, text)))
    except (NoSessionError, OSError):
        return ()


class _Beside(Surroundings):
    def sessions(self, document: Document) -> tuple[Session, ...]:
        return sessions_of(Path(document.path), document.text)


def place_of_step(document: Document, step: int) -> tuple[int, int]:
    """Range that stands for a step in a trajectory or a session."""
    if document.kind == "session":
        return SessionDocument(document, {}, _Beside()).range_of_step(step)
    return step_range(document, step)

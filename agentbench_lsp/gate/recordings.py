"""A recorded run, as a trajectory or as the session of an agent: wherever the one is accepted, so is the other."""

from __future__ import annotations

from pathlib import Path

from agentbench_lsp.dsl.loading import document_from_text, load_trajectory_document
from agentbench_lsp.dsl.validator import validate_trajectory_dict
from agentbench_lsp.importers.core.importing import is_session, read_sessions
from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.importers.core.source import Source
from agentbench_lsp.runner.trajectory import Trajectory


class RecordingError(ValueError):
    """A session cannot be taken as one run; the message says what to do."""


def load_recording(path: Path, text: str | None = None, instance: str | None = None) -> Trajectory:
    """The run in a file, or in its text as it is being edited.

    Raises as `Trajectory.from_file`, and RecordingError for a session of which `instance` is not clear.
    """
    source = Source(path, text)
    if not is_session(source):
        if text is not None:
            return Trajectory.from_dict(document_from_text(text, validate_trajectory_dict))
        return Trajectory.from_dict(load_trajectory_document(path))
    return chosen(read_sessions(source), instance).trajectory


def chosen(sessions: list[Session], instance: str | None) -> Session:
    """The session named `instance`, or the only one. Raises RecordingError."""
    if instance is None:
        if len(sessions) == 1:
            return sessions[0]
        names = "\n".join(f"  {session.instance}" for session in sessions[:20])
        raise RecordingError(f"it holds {len(sessions)} sessions; name one with --instance:\n{names}")
    for session in sessions:
        if session.instance == instance:
            return session
    known = ", ".join(session.instance or "(unnamed)" for session in sessions[:20])
    raise RecordingError(f"it has no instance {instance!r}; there are {known}")

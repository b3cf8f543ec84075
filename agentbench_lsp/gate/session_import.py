"""An import for an editor: texts of the documents that it makes, which the editor's server puts where they belong."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from agentbench_lsp.gate.recordings import chosen
from agentbench_lsp.gate.session_files import json_text, link_to_source, trajectory_text
from agentbench_lsp.gate.session_report import report, summary_lines
from agentbench_lsp.gate.session_task import task_of_session
from agentbench_lsp.importers.core.importing import read_sessions
from agentbench_lsp.importers.core.secrets import ScannerMissingError, redacted, scan_session
from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.importers.core.source import Source


class ImportRequest(NamedTuple):
    """What is asked for; see `gate.jobs`."""

    session: Any
    instance: str | None
    root: str | None
    output: str | None
    task_id: str | None
    redact: bool | None
    sandboxed: bool | None


def import_for_editor(request: ImportRequest) -> dict[str, Any]:
    """The documents of the session that is meant, or the names of those that may be. Raises as `read_sessions`."""
    path = Path(request.session["path"])
    sessions = read_sessions(Source(path, request.session.get("text")), root=request.root)
    if len(sessions) > 1 and request.instance is None:
        return {"sessions": [session.instance for session in sessions]}
    session = without_secrets(chosen(sessions, request.instance), bool(request.redact))
    task, notes = None, []
    if request.task_id is not None:
        made = task_of_session(session, request.task_id, None if request.sandboxed else False)
        session.document["metadata"]["task"] = request.task_id
        task, notes = json_text(made.document) + "\n", made.notes
    session.document["metadata"]["source"]["file"] = link_to_source(path, Path(request.output or path.name))
    return {
        "sessions": [session.instance],
        "report": report(session),
        "summary": list(summary_lines(session)),
        "trajectory": trajectory_text(session.document),
        "task": task,
        "notes": notes,
    }


def without_secrets(session: Session, redact: bool) -> Session:
    """The session, with its secrets masked if `redact`, else with a warning where something looks like one.

    Raises ScannerMissingError if they are to be masked and cannot be looked for.
    """
    try:
        found = scan_session(session)
    except ScannerMissingError as exc:
        if redact:
            raise
        session.warnings.append(str(exc))
        return session
    if redact:
        return redacted(session, found)
    if (told := found.told()) is not None:
        session.warnings.append(told)
    return session

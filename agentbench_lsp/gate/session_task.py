"""A task made of a session: what the agent found, what it was asked, and oracles that its own run passes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.new_task import PROMPT, is_test
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.importers.core.test_commands import passing_test_commands
from agentbench_lsp.models.task import EvalTask, OracleResult
from agentbench_lsp.oracles.no_network import find_violations
from agentbench_lsp.runner.replay import Replay, replay
from agentbench_lsp.runner.sandbox import available
from agentbench_lsp.runner.trajectory import Trajectory

_MOST_FILES = 200
_LARGEST = 256_000  # bytes of a file that the agent only read
_MOST_PROTECTED, _MOST_ASSERTED, _MOST_TRIED = 10, 3, 3
_TIMEOUT = 60
_SHORTEST_LINE = 8


@dataclass
class SessionTask:
    """The document of a task; `notes` say what was left out, and why."""

    document: dict[str, Any]
    notes: list[str] = field(default_factory=list)


def task_of_session(session: Session, task_id: str, try_commands: bool | None = None) -> SessionTask:
    """The task. Test commands of the session are in it if they pass when they are tried on what the agent left.

    `try_commands`: None tries them only where there is a sandbox; False never; True also without one.
    """
    made = SessionTask(_frame(session, task_id))
    oracles: list[dict[str, Any]] = made.document["oracles"]
    workspace: dict[str, str] = made.document["workspace"]
    made.notes += _incomplete(session)
    command = _passing_command(session, made, try_commands)
    if command is not None:
        oracles.append(command)
    tests = [path for path in workspace if path in session.seen and is_test(path)]
    oracles += [{"type": "file_not_modified", "path": path} for path in tests[:_MOST_PROTECTED]]
    if not any(True for _ in find_violations(session.trajectory)):
        oracles.append({"type": "no_network"})
    else:
        made.notes.append("no_network was left out: a step holds a sign of network access")
    if command is None or _passes_untouched(made.document, command):
        oracles[:0] = _assertions(session, workspace)
    _keep_what_passes(session, made)
    return made


def _frame(session: Session, task_id: str) -> dict[str, Any]:
    name = task_id.replace("-", " ").replace("_", " ").capitalize()
    return {
        "id": task_id,
        "name": name,
        "description": f"From a session of {session.document['metadata'].get('agent', session.format)}.",
        "prompt": session.prompt or PROMPT,
        "workspace": _workspace(session),
        "oracles": [],
    }


def _workspace(session: Session) -> dict[str, str]:
    """Files as the agent found them: those it changed, then those it read."""
    ordered = sorted(session.originals.items(), key=lambda item: (item[0] in session.seen, item[0]))
    files: dict[str, str] = {}
    for path, content in ordered[:_MOST_FILES]:
        if path in session.seen and len(content) > _LARGEST:
            continue
        try:
            files[path] = content.decode("utf-8")
        except UnicodeDecodeError:
            continue
    # A session that began in an empty folder; a task needs a file.
    return files or {"README.md": ""}


def _incomplete(session: Session) -> Iterator[str]:
    if not session.originals:
        yield "the recording holds no file as the agent found it, so the workspace is an empty README.md"
    if session.fidelity.commands:
        yield f"{len(session.fidelity.commands)} commands may have changed files that are not in the workspace"


def _passing_command(session: Session, made: SessionTask, try_commands: bool | None) -> dict[str, Any] | None:
    commands = passing_test_commands(session.trajectory)
    if not commands:
        return None
    allowed = available().program is not None if try_commands is None else try_commands
    if not allowed:
        why = "" if try_commands is False else " (there is no sandbox here; --try-commands runs it without)"
        made.notes.append(f"the test command was not tried, and left out{why}: {commands[0]}")
        return None
    for command in commands[:_MOST_TRIED]:
        oracle = {"type": "test_must_pass", "command": command, "timeout": _TIMEOUT}
        result = _judged(made.document, [oracle], session)[0]
        if result.passed:
            return oracle
        made.notes.append(f"the test command does not pass here, and was left out: {command} ({result.message})")
    return None


def _passes_untouched(document: dict[str, Any], oracle: dict[str, Any]) -> bool:
    task = EvalTask.from_dict({**document, "oracles": [oracle]})
    return Evaluator(Catalogue(), sandbox="auto").evaluate(task, Trajectory([])).passed


def _assertions(session: Session, workspace: dict[str, str]) -> Iterator[dict[str, Any]]:
    """What the last edits of files put into them: a line each, which a run without them does not have."""
    done = replay(workspace, session.trajectory)
    edited = dict.fromkeys(r.path for r in reversed(done.reports) if r.status == "applied")
    found = 0
    for path in edited:
        line = _telling_line(done, path)
        if line is not None and found < _MOST_ASSERTED:
            found += 1
            yield {"type": "assertion_exists", "path": path, "pattern": re.escape(line).replace("\\ ", " ")}


def _telling_line(done: Replay, path: str) -> str | None:
    """The longest line of a file that only its last edit put in."""
    states = [done.initial.get(path)]
    for _, paths, files in done.edits():
        if path in paths:
            states.append(files.get(path))
    last = next((i for i in range(len(states) - 1, 0, -1) if states[i] != states[i - 1]), None)
    final = done.files.get(path)
    if last is None or final is None:
        return None
    before = {line.strip() for state in states[:last] for line in _lines(state)}
    new = [line.strip() for line in _lines(final) if line.strip() not in before]
    fitting = [line for line in new if _SHORTEST_LINE <= len(line) <= 120]
    return max(fitting, key=len, default=None)


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines()


def _keep_what_passes(session: Session, made: SessionTask) -> None:
    oracles: list[dict[str, Any]] = made.document["oracles"]
    judged = [oracle for oracle in oracles if oracle["type"] != "test_must_pass"]
    if not judged:
        return
    for oracle, result in zip(judged, _judged(made.document, judged, session), strict=True):
        if not result.passed:
            oracles.remove(oracle)
            made.notes.append(f"{oracle['type']} was left out, the session's own run fails it: {result.message}")


def _judged(document: dict[str, Any], oracles: list[dict[str, Any]], session: Session) -> list[OracleResult]:
    task = EvalTask.from_dict({**document, "oracles": oracles})
    return Evaluator(Catalogue(), sandbox="auto").evaluate(task, session.trajectory).oracle_results

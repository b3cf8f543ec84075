"""Code lenses: evaluate against the recordings that are there; the last verdict."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.session_document import SessionDocument
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.server.app import EVALUATE, AgentBenchServer
from agentbench_lsp.server.documents import uri_path
from agentbench_lsp.server.features.evaluate import BASELINE
from agentbench_lsp.server.features.import_session import IMPORT
from agentbench_lsp.server.request import Subject, subject
from agentbench_lsp.server.trajectories import candidates

_MOST = 3


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        found = subject(server, params.text_document, sessions=True)
        if found is None or not server.configuration.code_lenses:
            return []
        if isinstance(found.view, SessionDocument):
            return [types.CodeLens(found.range(0, 0), command) for command in _of_session(found.opened.uri)]
        if not isinstance(found.view, TaskDocument):
            return []
        owner = found.document.field("oracles")
        start = owner.key.start if owner else 0
        where = found.range(start, start)
        return [types.CodeLens(where, command) for command in _commands(server, found, found.view)]


def _of_session(uri: str) -> list[types.Command]:
    trajectory = types.Command("Import as trajectory", IMPORT, arguments=[{"session": uri}])
    return [trajectory, types.Command("Make a task of it", IMPORT, arguments=[{"session": uri, "task": True}])]


def _commands(server: AgentBenchServer, found: Subject, task: TaskDocument) -> list[types.Command]:
    uri = found.opened.uri
    made = []
    verdict = server.results.verdict(uri, task)
    if verdict is not None:
        told = f"✗ {verdict.failed} of {verdict.oracles} failed"
        if not verdict.failed:
            told = f"✓ all {verdict.oracles} passed"
        again = {"task": uri, "trajectory": verdict.trajectory_uri}
        title = f"{told} ({_name(verdict.trajectory_uri)})"
        made.append(types.Command(title, EVALUATE, arguments=[again]))
    if server.trusted:
        offered = candidates(server, uri, task)
        for candidate in offered[:_MOST]:
            argument = {"task": uri, "trajectory": candidate.uri}
            made.append(types.Command(f"Evaluate against {candidate.name}", EVALUATE, arguments=[argument]))
        if len(offered) > _MOST:
            made.append(types.Command("Evaluate against…", EVALUATE, arguments=[{"task": uri}]))
        made.append(types.Command("Baseline", BASELINE, arguments=[{"task": uri}]))
    return made


def _name(uri: str) -> str:
    return uri_path(uri).rpartition("/")[2]

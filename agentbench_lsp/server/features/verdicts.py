"""What the last evaluation of a task found, for a client that shows it beside the text; and forgetting it."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from agentbench_lsp.gate.explanation import state_of
from agentbench_lsp.language.symbols import oracle_target
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement, held, telling_range
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.features.verdict_views import output_text
from agentbench_lsp.server.own_params import text_param
from agentbench_lsp.server.positions import range_of
from agentbench_lsp.server.results import Outcome

METHOD, CLEAR = "agentbench/results", "agentbench.clear"


def register(server: AgentBenchServer) -> None:
    @server.feature(METHOD)
    def results(params: Any) -> dict[str, Any] | None:
        """`{"task": uri}` -> `{"trajectory", "oracles": [{"index", "state", "message", …}]}`: what holds; or null."""
        uri = text_param(params, "task")
        outcome, task = server.results.of_task(uri), server.current_task(uri)
        if outcome is None or task is None or outcome.trajectory is None:
            return None
        oracles = [_result(server, task, outcome, *pair) for pair in held(task, outcome.judgements)]
        return {"trajectory": outcome.trajectory.uri, "of": len(task.oracles), "oracles": oracles}

    @server.command(CLEAR)
    async def clear(*arguments: Any) -> int:
        """`{"task"?: uri}` -> how many documents no longer show results."""
        argument = arguments[0] if arguments else {}
        if not isinstance(argument, dict):
            raise JsonRpcInvalidParams('the command takes at most one argument, an object: {"task"?: uri}')
        uris = server.results.clear(text_param(argument, "task") if argument.get("task") is not None else None)
        server.results_changed(uris)
        return len(uris)


def _result(
    server: AgentBenchServer, task: TaskDocument, outcome: Outcome, judgement: Judgement, oracle: OracleView
) -> dict[str, Any]:
    encoding, report = server.documents.encoding, outcome.details[judgement.key]
    where: types.Range = range_of(task.document.lines, *telling_range(oracle, judgement.param), encoding)
    steps = [
        {"step": blamed.step, "message": blamed.message, "range": place.range}
        for blamed in judgement.steps
        if (place := outcome.place(blamed.step, encoding))
    ]
    return {
        "index": oracle.index,
        "type": judgement.oracle_type,
        "target": oracle_target(oracle),
        "state": state_of(report),
        "message": judgement.text,
        "warnings": list(judgement.warnings),
        "range": where,
        "seconds": report["seconds"],
        "output": output_text(report) if report["details"].get("command_run") else None,
        "comparable": bool(oracle.texts("workspace_path")),
        "steps": steps,
    }

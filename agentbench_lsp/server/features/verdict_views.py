"""Commands that show more of a failure: the output, the diff, the step, the report. They answer with it, too.

With `"show": false` in their argument they only answer.
"""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcException

from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement
from agentbench_lsp.runner.text_diff import whole_diff
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.documents import uri_path
from agentbench_lsp.server.evaluation_request import Request, read_request
from agentbench_lsp.server.evaluations import REQUEST_FAILED
from agentbench_lsp.server.features.evaluate import with_last_trajectory, with_trajectory
from agentbench_lsp.server.protocol import command_token
from agentbench_lsp.server.results import Outcome

SHOW_OUTPUT, SHOW_DIFF = "agentbench.showOutput", "agentbench.showDiff"
SHOW_STEP, SHOW_REPORT = "agentbench.showStep", "agentbench.showReport"
_CONTEXT = 3  # lines around a change


def register(server: AgentBenchServer) -> None:
    @server.command(SHOW_OUTPUT)
    async def show_output(*arguments: Any) -> Any:
        """`{"task", "oracle"}` -> `{"text", "shown"}`: all that was kept of what the command printed."""
        request = read_request(arguments, server.documents, needs_oracle=True)
        _, _, detail = _evaluated(server, request)
        text = output_text(detail)
        name = f"output of oracle {request.oracle} of {_name(request)}.txt"
        return {"text": text, "shown": _shows(arguments) and await server.shown_files.show_text(name, text)}

    @server.command(SHOW_STEP)
    async def show_step(*arguments: Any) -> Any:
        """`{"task", "oracle", "step"?}` -> `{"uri", "range", "shown"}`: the step that is to blame, or the one given."""
        request = read_request(arguments, server.documents, needs_oracle=True)
        outcome, judgement, _ = _evaluated(server, request)
        given = arguments[0].get("step") if isinstance(arguments[0], dict) else None
        step = given if isinstance(given, int) else next((blamed.step for blamed in judgement.steps), None)
        place = outcome.place(step, server.documents.encoding) if step is not None else None
        if place is None:
            raise JsonRpcException("no step is to blame for this", REQUEST_FAILED)
        return {
            "uri": place.uri,
            "range": place.range,
            "shown": _shows(arguments) and await server.shown_files.show_place(place),
        }

    @server.command(SHOW_DIFF)
    async def show_diff(*arguments: Any) -> Any:
        """`{"task", "trajectory"?, "oracle"}` -> `{"path", "before", "after", "diff", "shown"}`: the oracle's file."""
        server.track()
        server.evaluations.require_trust()
        request = read_request(arguments, server.documents, needs_oracle=True)
        request = await with_last_trajectory(server, request)
        found = await server.evaluations.run("compare", request, "Comparing", command_token.get())
        old, new = ((found[name] or "").splitlines() for name in ("before", "after"))
        diff = "\n".join([f"--- {found['path']}", f"+++ {found['path']}", *whole_diff(old, new, _CONTEXT), ""])
        shown = _shows(arguments) and await server.shown_files.show_text(
            f"{found['path'].rpartition('/')[2]}.diff", diff
        )
        names = ("path", "before", "after")
        return {**{name: found[name] for name in names}, "diff": diff, "shown": shown}

    @server.command(SHOW_REPORT)
    async def show_report(*arguments: Any) -> Any:
        """`{"task", "trajectory"?}` -> `{"html", "shown"}`: evaluate, and show the page of `agentbench report`."""
        server.track()
        server.evaluations.require_trust()
        request = await with_trajectory(server, read_request(arguments, server.documents))
        done = await server.evaluations.report(request, command_token.get())
        html = done["html"]
        shown = _shows(arguments) and await server.shown_files.show_text(f"{_name(request)}.html", html, external=True)
        return {"html": html, "shown": shown}


def _shows(arguments: tuple[Any, ...]) -> bool:
    """False where the client shows the answer itself: `"show": false`."""
    return not (arguments and isinstance(arguments[0], dict) and arguments[0].get("show") is False)


def _name(request: Request) -> str:
    return uri_path(request.task.uri).rpartition("/")[2].removesuffix(".json")


def _evaluated(server: AgentBenchServer, request: Request) -> tuple[Outcome, Judgement, dict[str, Any]]:
    """What the last evaluation found of an oracle. Raises JsonRpcException where that is not known (any more)."""
    task = TaskDocument(request.task.document, server.specs(request.task.uri))
    outcome = server.results.of_task(request.task.uri)
    found = server.results.detail(request.task.uri, task, request.oracle or 0)
    if outcome is None or found is None:
        raise JsonRpcException(f"oracle {request.oracle} has not been evaluated as it is now", REQUEST_FAILED)
    return outcome, *found


def output_text(report: dict[str, Any]) -> str:
    """The output of an oracle of the report, for a reader."""
    details = report["details"]
    parts = [f"oracle {report['index']}: {report['type']}: {report['message']}"]
    if details.get("command_run"):
        parts.append(f"$ {details['command_run']}")
    for name in ("stdout", "stderr"):
        if details.get(name):
            parts.append(f"--- {name} ---\n{details[name]}")
    return "\n\n".join(parts) + "\n"

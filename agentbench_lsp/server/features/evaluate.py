"""Commands that run a task's oracles: evaluate, baseline, bisect."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.verdicts.judgement import BlamedStep
from agentbench_lsp.server.app import EVALUATE, AgentBenchServer
from agentbench_lsp.server.evaluation_request import Request, read_request
from agentbench_lsp.server.protocol import command_token
from agentbench_lsp.server.trajectories import chosen_trajectory, likeliest_trajectory, no_trajectory

BASELINE, BISECT = "agentbench.baseline", "agentbench.bisect"


def register(server: AgentBenchServer) -> None:
    @server.command(EVALUATE)
    async def evaluate(*arguments: Any) -> Any:
        """`{"task": uri, "trajectory"?: uri, "oracle"?: index, "ask"?: bool}` -> the report of `agentbench run --json`.

        Without `trajectory` the user is asked where several may be meant; with `"ask": false` the likeliest is taken.
        """
        server.track()
        server.evaluations.require_trust()
        request = await with_trajectory(server, read_request(arguments, server.documents))
        return await server.evaluations.evaluate(request, command_token.get())

    @server.command(BASELINE)
    async def baseline(*arguments: Any) -> Any:
        """`{"task": uri, "oracle"?: index}` -> the report of an evaluation without steps."""
        server.track()
        request = read_request(arguments, server.documents).with_trajectory(None)
        return await server.evaluations.evaluate(request, command_token.get())

    @server.command(BISECT)
    async def bisect(*arguments: Any) -> Any:
        """`{"task": uri, "trajectory"?: uri, "oracle": index}` -> what `gate.bisect.Bisection` has."""
        server.track()
        server.evaluations.require_trust()
        request = await with_trajectory(server, read_request(arguments, server.documents, needs_oracle=True))
        title = f"Bisecting oracle {request.oracle}"
        found = (await server.evaluations.run("bisect", request, title, command_token.get()))["bisection"]
        _keep(server, request, found)
        return found


async def with_last_trajectory(server: AgentBenchServer, request: Request) -> Request:
    """The request; with the trajectory of the results that are shown, if it names none and there are any."""
    outcome = server.results.of_task(request.task.uri)
    if request.trajectory is None and outcome is not None:
        request = request.with_trajectory(outcome.trajectory)
    return await with_trajectory(server, request)


async def with_trajectory(server: AgentBenchServer, request: Request) -> Request:
    """The request; with a trajectory, if it names none."""
    if request.trajectory is not None:
        return request
    if request.asks:
        return request.with_trajectory(await chosen_trajectory(server, request.task))
    found = await likeliest_trajectory(server, request.task)
    if found is None:
        raise no_trajectory(request.task)
    return request.with_trajectory(found)


def _keep(server: AgentBenchServer, request: Request, found: dict[str, Any]) -> None:
    """Let the failure that was evaluated say what the bisection found."""
    task = TaskDocument(request.task.document, server.specs(request.task.uri))
    known = server.results.detail(request.task.uri, task, request.oracle or 0)
    if known is None or known[0].passed or request.trajectory is None:
        return
    told = bisection_text(found)
    steps = (BlamedStep(found["step"], told),) if found["step"] is not None else ()
    lines = [line for line in known[0].lines if not line.startswith("the last edit is ")]
    server.results.amend(request, replace(known[0], lines=(told, *lines), steps=steps or known[0].steps))
    server.results_changed([request.task.uri, request.trajectory.uri])


def bisection_text(found: dict[str, Any]) -> str:
    """What a bisection found, in a line."""
    tried = f"{found['runs']} {'run' if found['runs'] == 1 else 'runs'}"
    if found["status"] == "broken":
        return f"the command passes until step {found['step']} ({tried})"
    if found["status"] == "passes":
        return "the command passes now: it does not fail every time"
    every = "any" if found["complete"] else "any that was tried"
    return f"the command has not passed after {every} of the agent's edits, nor before them ({tried})"

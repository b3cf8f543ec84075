"""`agentbench/changes`: what each step of a trajectory makes of a task's workspace, for a client's diff editor."""

from __future__ import annotations

from typing import Any

from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.evaluation_request import read_request
from agentbench_lsp.server.features.evaluate import with_trajectory

METHOD = "agentbench/changes"


def register(server: AgentBenchServer) -> None:
    @server.feature(METHOD)
    async def changes(params: Any) -> dict[str, Any]:
        """`{"task": uri, "trajectory"?: uri}` -> `{"trajectory", "files", "steps"}`, with `before`, `after`."""
        server.track()
        server.evaluations.require_trust()
        request = read_request((params,), server.documents)
        outcome = server.results.of_task(request.task.uri)
        if request.trajectory is None and outcome is not None:
            request = request.with_trajectory(outcome.trajectory)
        request = await with_trajectory(server, request)
        found = await server.evaluations.run("changes", request, "Replaying")
        trajectory = request.trajectory.uri if request.trajectory else None
        return {"trajectory": trajectory, "files": found["files"], "steps": found["steps"]}

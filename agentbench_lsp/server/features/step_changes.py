"""`agentbench/changes`: what each step of a trajectory makes of a task's workspace, for a client's diff editor."""

from __future__ import annotations

from typing import Any

from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.evaluation_request import read_request
from agentbench_lsp.server.features.evaluate import with_last_trajectory

METHOD = "agentbench/changes"


def register(server: AgentBenchServer) -> None:
    @server.feature(METHOD)
    async def changes(params: Any) -> dict[str, Any]:
        """`{"task": uri, "trajectory"?: uri}` -> `{"trajectory", "files", "steps"}`, with `before`, `after`."""
        server.track()
        server.evaluations.require_trust()
        request = await with_last_trajectory(server, read_request((params,), server.documents))
        found = await server.evaluations.run("changes", request, "Replaying")
        trajectory = request.trajectory.uri if request.trajectory else None
        return {"trajectory": trajectory, "files": found["files"], "steps": found["steps"]}

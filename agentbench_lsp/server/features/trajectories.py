"""`agentbench/trajectories`: which trajectories a task may be evaluated with, for a picker of the client's own."""

from __future__ import annotations

from typing import Any

from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.evaluation_request import read_source
from agentbench_lsp.server.trajectories import settled_candidates

METHOD = "agentbench/trajectories"


def register(server: AgentBenchServer) -> None:
    @server.feature(METHOD)
    async def offer(params: Any) -> list[dict[str, str]]:
        """`{"task": uri}` -> `[{"uri", "name", "reason"}]`, the likeliest first."""
        source = read_source("task", params.get("task") if isinstance(params, dict) else None, server.documents)
        found = await settled_candidates(server, source)
        return [{"uri": each.uri, "name": each.name, "reason": each.reason} for each in found]

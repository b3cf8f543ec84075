"""`agentbench/trust`: the client says whether the workspace is trusted, when that changes after the start."""

from __future__ import annotations

from typing import Any

from agentbench_lsp.server.app import AgentBenchServer

METHOD = "agentbench/trust"


def register(server: AgentBenchServer) -> None:
    @server.feature(METHOD)
    async def changed(params: Any) -> None:
        """`{"trusted": bool}`. What is no `true` is no trust."""
        await server.trust(isinstance(params, dict) and params.get("trusted") is True)

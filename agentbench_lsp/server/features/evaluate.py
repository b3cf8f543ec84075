"""The command that evaluates a task against a trajectory."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from agentbench_lsp.server.app import EVALUATE, AgentBenchServer


def register(server: AgentBenchServer) -> None:
    @server.command(EVALUATE)
    async def run_evaluation(*arguments: Any) -> Any:
        if len(arguments) != 1:
            raise JsonRpcInvalidParams(f"{EVALUATE} takes one argument, not {len(arguments)}")
        return await server.evaluate(arguments[0])

"""The features of the server: one file each, with a function `register(server)`. A module put here is one."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer


def register_all(server: AgentBenchServer) -> None:
    """Register every feature with pygls, which makes the server's capabilities of that."""
    for info in iter_modules(__path__):
        import_module(f"{__name__}.{info.name}").register(server)

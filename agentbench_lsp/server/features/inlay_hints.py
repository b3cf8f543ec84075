"""Inlay hints."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.inlay_hints import inlay_hints
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.request import subject


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        found = subject(server, params.text_document)
        if found is None or not server.configuration.inlay_hints:
            return []
        where = found.offsets(params.range)
        shown = list(inlay_hints(found.view, *where))
        if server.analysis.pending:
            await server.analysis.settle()
            shown = list(inlay_hints(found.view, *where))
        return [
            types.InlayHint(found.range(h.offset, h.offset).start, h.label, tooltip=h.tooltip, padding_left=True)
            for h in shown
        ]

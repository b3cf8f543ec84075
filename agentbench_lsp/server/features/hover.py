"""Hover."""

from __future__ import annotations

import re

from lsprotocol import types

from agentbench_lsp.language.hover import hover
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.request import subject


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def show(params: types.HoverParams) -> types.Hover | None:
        found = subject(server, params.text_document)
        if found is None:
            return None
        offset = found.offset(params.position)
        shown = hover(found.view, offset)
        if server.analysis.pending:  # what a pattern matches is on its way
            await server.analysis.settle()
            shown = hover(found.view, offset)
        if shown is None:
            return None
        if server.client.hover_markdown:
            content = types.MarkupContent(types.MarkupKind.Markdown, shown.markdown)
        else:
            content = types.MarkupContent(types.MarkupKind.PlainText, plain(shown.markdown))
        return types.Hover(content, found.range(shown.start, shown.end))


def plain(markdown: str) -> str:
    """Markdown of ours without its marks."""
    text = re.sub(r"^`{3,}\w*\n?", "", markdown, flags=re.MULTILINE)
    return text.replace("**", "").replace("`", "").strip()

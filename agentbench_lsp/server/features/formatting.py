"""Formatting."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.formatting import format_edits
from agentbench_lsp.server import convert
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.request import subject


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def whole(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        found = subject(server, params.text_document)
        if found is None:
            return []
        edits = format_edits(found.document, _indent(params.options))
        return convert.text_edits(found.document, edits, found.encoding)

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING, types.DocumentRangeFormattingOptions(ranges_support=True))
    def part(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
        found = subject(server, params.text_document)
        if found is None:
            return []
        edits = format_edits(found.document, _indent(params.options), *found.offsets(params.range))
        return convert.text_edits(found.document, edits, found.encoding)

    @server.feature(types.TEXT_DOCUMENT_RANGES_FORMATTING)
    def parts(params: types.DocumentRangesFormattingParams) -> list[types.TextEdit]:
        found = subject(server, params.text_document)
        if found is None:
            return []
        edits = {
            edit: None
            for where in params.ranges
            for edit in format_edits(found.document, _indent(params.options), *found.offsets(where))
        }
        return convert.text_edits(found.document, edits, found.encoding)


def _indent(options: types.FormattingOptions) -> str:
    return " " * max(0, min(options.tab_size, 16)) if options.insert_spaces else "\t"

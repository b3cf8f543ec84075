"""Colours inside patterns and commands."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.semantic_tokens import TOKEN_TYPES, semantic_tokens
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.positions import to_units
from agentbench_lsp.server.request import Subject, subject

LEGEND = types.SemanticTokensLegend(token_types=list(TOKEN_TYPES), token_modifiers=[])


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def full(params: types.SemanticTokensParams) -> types.SemanticTokens:
        found = subject(server, params.text_document)
        return types.SemanticTokens(_data(found, 0, None) if found else [])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
    def part(params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        found = subject(server, params.text_document)
        return types.SemanticTokens(_data(found, *found.offsets(params.range)) if found else [])


def _data(found: Subject, start: int, end: int | None) -> list[int]:
    """Five numbers a token: lines and units since the one before, length, type, no modifiers."""
    lines, encoding = found.document.lines, found.encoding
    data: list[int] = []
    last_line = last_column = 0
    for first, last, kind in semantic_tokens(found.view, start, end):
        place = lines.position(first)
        line = lines.line(place.line)
        if lines.position(last).line != place.line:
            continue  # only in half-written text
        column = to_units(line, place.column, encoding)
        length = to_units(line, place.column + last - first, encoding) - column
        if place.line != last_line:
            last_column = 0
        data += [place.line - last_line, column - last_column, length, TOKEN_TYPES.index(kind), 0]
        last_line, last_column = place.line, column
    return data

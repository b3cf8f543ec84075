"""Folding and growing selections."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.folding import folds, selections
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.request import Subject, subject


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def fold(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        found = subject(server, params.text_document)
        if found is None:
            return []
        return [types.FoldingRange(start_line=first, end_line=last) for first, last in folds(found.document)]

    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    def select(params: types.SelectionRangeParams) -> list[types.SelectionRange]:
        found = subject(server, params.text_document)
        if found is None:
            return []
        return [_selection(found, position) for position in params.positions]


def _selection(found: Subject, position: types.Position) -> types.SelectionRange:
    made: types.SelectionRange | None = None
    for start, end in reversed(selections(found.document, found.offset(position))):
        made = types.SelectionRange(found.range(start, end), made)
    return made or types.SelectionRange(types.Range(position, position))

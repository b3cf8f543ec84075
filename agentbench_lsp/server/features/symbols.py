"""The outline of a document; tasks of the workspace by id and name."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.symbols import Symbol, SymbolKind, flat, symbols
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.request import Subject, subject

_MOST = 500
_KINDS: dict[SymbolKind, types.SymbolKind] = {
    "field": types.SymbolKind.Property,
    "workspace": types.SymbolKind.Package,
    "file": types.SymbolKind.File,
    "oracles": types.SymbolKind.Array,
    "oracle": types.SymbolKind.Method,
    "steps": types.SymbolKind.Array,
    "edit": types.SymbolKind.Event,
    "command": types.SymbolKind.Function,
    "step": types.SymbolKind.Event,
    "task": types.SymbolKind.File,
}


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(
        params: types.DocumentSymbolParams,
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        found = subject(server, params.text_document, sessions=True)
        if found is None:
            return []
        tree = symbols(found.view)
        if server.client.symbol_tree:
            return [_symbol(found, s) for s in tree]
        places = [(types.Location(found.opened.uri, found.range(s.start, s.end)), s) for s in flat(tree)]
        return [types.SymbolInformation(location, s.name, _KINDS[s.kind]) for location, s in places]

    @server.feature(types.WORKSPACE_SYMBOL)
    async def tasks(params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        """Task files whose id, name or file name holds the letters of the query, in order."""
        found = []
        query = params.query.lower()
        start = types.Range(types.Position(0, 0), types.Position(0, 0))
        async for path in server.workspace_files.tasks():
            summary = server.analysis.neighbours(path.parent).files.get(path.name)
            if summary is None or summary.kind != "task":
                continue
            title = f"{summary.id or path.stem}: {summary.name}" if summary.name else summary.id or path.stem
            if _fits(query, f"{title} {path.name}".lower()):
                at, kind = types.Location(path.as_uri(), start), types.SymbolKind.File
                found.append(types.SymbolInformation(at, title, kind, container_name=path.parent.name))
            if len(found) >= _MOST:
                break
        return found


def _fits(query: str, text: str) -> bool:
    letters = iter(text)
    return all(letter in letters for letter in query)


def _symbol(found: Subject, symbol: Symbol) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=found.range(symbol.start, symbol.end),
        selection_range=found.range(symbol.name_start, symbol.name_end),
        detail=symbol.detail or None,
        children=[_symbol(found, child) for child in symbol.children] or None,
    )

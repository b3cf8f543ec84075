"""Definition, references, highlights, links."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.navigation import Target, definition, highlights, links, references
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.positions import range_of
from agentbench_lsp.server.request import Subject, subject


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def define(params: types.DefinitionParams) -> list[types.Location] | list[types.LocationLink] | None:
        found = subject(server, params.text_document)
        target = definition(found.view, found.offset(params.position)) if found else None
        if found is None or target is None:
            return None
        origin, to = target
        location = _location(found, to)
        if location is None:
            return None
        if server.client.location_links:
            return [types.LocationLink(location.uri, location.range, location.range, found.range(*origin))]
        return [location]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def refer(params: types.ReferenceParams) -> list[types.Location]:
        found = subject(server, params.text_document)
        if found is None:
            return []
        uses = references(found.view, found.offset(params.position), params.context.include_declaration)
        return [types.Location(found.opened.uri, found.range(use.start, use.end)) for use in uses]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = subject(server, params.text_document)
        if found is None:
            return []
        kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
        return [
            types.DocumentHighlight(found.range(start, end), kinds[defines])
            for start, end, defines in highlights(found.view, found.offset(params.position))
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def link(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        found = subject(server, params.text_document)
        if found is None:
            return []
        made = []
        for target in links(found.view):
            path = found.resolve(target.path)
            if path is not None:
                uri = path.as_uri() + (f"#L{target.line}" if target.line is not None else "")
                made.append(types.DocumentLink(found.range(target.start, target.end), uri, target.tooltip))
        return made


def _location(found: Subject, to: Target) -> types.Location | None:
    if to.path is None:
        return types.Location(found.opened.uri, found.range(to.start, to.end))
    file = found.resolve(to.path)
    if file is not None and to.line is not None:
        place = types.Position(to.line - 1, 0)
        return types.Location(file.as_uri(), types.Range(place, place)) if file.is_file() else None
    document = found.view.around.document(to.path)
    if document is None or file is None:
        return None
    return types.Location(file.as_uri(), range_of(document.lines, to.start, to.end, found.encoding))

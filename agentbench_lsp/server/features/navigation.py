"""Definition, references, highlights, links."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.navigation import definition, highlights, links, references
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
        location = _location(found, to.path, to.start, to.end)
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
                made.append(types.DocumentLink(found.range(target.start, target.end), path.as_uri(), target.tooltip))
        return made


def _location(found: Subject, path: str | None, start: int, end: int) -> types.Location | None:
    if path is None:
        return types.Location(found.opened.uri, found.range(start, end))
    document, file = found.view.around.document(path), found.resolve(path)
    if document is None or file is None:
        return None
    return types.Location(file.as_uri(), range_of(document.lines, start, end, found.encoding))

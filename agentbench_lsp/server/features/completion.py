"""Completion. Documentation is sent when it is shown, if the client can ask for it."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.completion import Completion, complete_in
from agentbench_lsp.server import convert
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.request import subject

TRIGGERS = ['"', ":", "/", "{", "[", ","]


def register(server: AgentBenchServer) -> None:
    last: list[Completion] = []
    serial = 0

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True)
    )
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        nonlocal last, serial
        found = subject(server, params.text_document)
        if found is None:
            return []
        items = complete_in(found.view, found.offset(params.position))
        client = server.client
        last, serial = items, serial + 1
        return [
            convert.completion_item(
                found.document,
                item,
                i,
                found.encoding,
                client,
                [serial, i] if client.resolves_documentation and item.documentation else None,
            )
            for i, item in enumerate(items)
        ]

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        data = item.data
        if isinstance(data, list) and len(data) == 2 and data[0] == serial and data[1] in range(len(last)):
            item.documentation = convert.documentation(last[data[1]], server.client)
        return item

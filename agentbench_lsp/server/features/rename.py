"""Renaming a workspace file in its task."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from agentbench_lsp.language.rename import prepare_rename, rename
from agentbench_lsp.language.workspace_edits import WorkspaceError
from agentbench_lsp.server import convert
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.evaluations import REQUEST_FAILED
from agentbench_lsp.server.request import subject


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        found = subject(server, params.text_document)
        place = prepare_rename(found.view, found.offset(params.position)) if found else None
        if found is None or place is None:
            return None
        start, end, name = place
        return types.PrepareRenamePlaceholder(found.range(start, end), name)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def perform(params: types.RenameParams) -> types.WorkspaceEdit | None:
        found = subject(server, params.text_document)
        if found is None:
            return None
        try:
            edits = rename(found.view, found.offset(params.position), params.new_name)
        except WorkspaceError as exc:
            raise JsonRpcException(str(exc), REQUEST_FAILED) from None
        changes = convert.text_edits(found.document, edits, found.encoding)
        return convert.workspace_edit(found.opened.uri, found.opened.version, changes, server.client)

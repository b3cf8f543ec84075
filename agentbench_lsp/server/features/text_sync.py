"""The documents that the client edits."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.server.app import AgentBenchServer


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.analysis.forget()
        server.document_changed(params.text_document.uri)
        server.warm_up()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.document_changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.analysis.forget()
        server.document_changed(params.text_document.uri)
        server.on_save.saved(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.analysis.forget()
        server.analysis.closed(params.text_document.uri)
        server.diagnostics.closed(params.text_document.uri)
        server.workspace_files.closed(params.text_document.uri)

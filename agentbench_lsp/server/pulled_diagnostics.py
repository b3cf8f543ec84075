"""Diagnostics that the client asks for: of a document, of the whole workspace."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.server.app import AgentBenchServer


def register(server: AgentBenchServer) -> None:
    """Called once the client has said that it pulls: one that does not would be told twice."""
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        return await server.diagnostics.pull(params)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def pull_all(params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        return await server.workspace_files.pull(params)

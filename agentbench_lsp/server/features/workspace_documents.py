"""`agentbench/documents`: the tasks, trajectories and manifests of the workspace, for trees and menus of the client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from agentbench_lsp.language.manifest_document import ManifestDocument
from agentbench_lsp.language.session_document import SessionDocument
from agentbench_lsp.language.surroundings import Summary
from agentbench_lsp.language.symbols import oracle_target
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.documents import file_path
from agentbench_lsp.server.own_params import text_param
from agentbench_lsp.server.positions import range_of
from agentbench_lsp.syntax.nodes import StringNode

METHOD = "agentbench/documents"


def register(server: AgentBenchServer) -> None:
    @server.feature(METHOD)
    async def documents(params: Any) -> list[dict[str, Any]]:
        """`{"uri"?: uri}` -> `[{"uri", "kind", "id", "name"}]`; of one with `oracles`, `files`, `tasks`, too."""
        if isinstance(params, dict) and params.get("uri") is not None:
            return await _one(server, text_param(params, "uri"))
        found = []
        async for path in server.workspace_files.tasks():
            summary = server.analysis.neighbours(path.parent).files.get(path.name)
            if summary is not None:
                found.append(_listed(path, summary))
        return found


def _listed(path: Path, summary: Summary) -> dict[str, Any]:
    return {"uri": path.as_uri(), "kind": summary.kind, "id": summary.id, "name": summary.name}


async def _one(server: AgentBenchServer, uri: str) -> list[dict[str, Any]]:
    """One document as it is now, in the editor or on disk; nothing where it is not ours."""
    path, view = file_path(uri), server.current_view(uri)
    if isinstance(view, ManifestDocument):
        await server.analysis.settle()  # what it lists may be in folders that have not been looked at
        view = server.current_view(uri)
    if view is None or isinstance(view, SessionDocument):
        return []
    kind = view.document.kind
    about: dict[str, Any] = {"uri": uri, "kind": kind, "id": view.text_of("id"), "name": view.text_of("name")}
    if isinstance(view, TaskDocument):
        about["oracles"] = [_oracle(server, view, oracle) for oracle in view.oracles]
        about["files"] = [file.key.value for file in view.files]
    if isinstance(view, ManifestDocument) and path:
        names = (view.find(node.value) for node in view.entries)
        about["tasks"] = [(path.parent / name).resolve().as_uri() for name in names if name]
    return [about]


def _oracle(server: AgentBenchServer, task: TaskDocument, oracle: OracleView) -> dict[str, Any]:
    name = oracle.type_node.value if isinstance(oracle.type_node, StringNode) else ""
    where: types.Range = range_of(task.document.lines, oracle.node.start, oracle.node.end, server.documents.encoding)
    return {"index": oracle.index, "type": name, "target": oracle_target(oracle), "range": where}

"""Files that change outside of the editor, or are renamed in it."""

from __future__ import annotations

import os
from pathlib import Path

from lsprotocol import types

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Edit
from agentbench_lsp.language.manifest_document import ManifestDocument
from agentbench_lsp.project.summaries import read_document
from agentbench_lsp.server import convert
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.documents import file_path

_FILTER = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*.json"), scheme="file")]
)
WATCHED = ("**/*.json", "**/pyproject.toml", "**/*.py")


def register(server: AgentBenchServer) -> None:
    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(params: types.DidChangeWatchedFilesParams) -> None:
        server.files_changed([path for event in params.changes if (path := file_path(event.uri))])

    @server.feature(types.WORKSPACE_WILL_RENAME_FILES, _FILTER)
    def will_rename(params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
        """Manifests that name a task file get its new name."""
        edits: list[tuple[str, int | None, list[types.TextEdit]]] = []
        for file in params.files:
            old, new = file_path(file.old_uri), file_path(file.new_uri)
            if old and new:
                edits += _in_manifests(server, old, new)
        if not edits:
            return None
        if server.client.versioned_edits:
            named = [(types.OptionalVersionedTextDocumentIdentifier(uri=u, version=v), e) for u, v, e in edits]
            return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(i, list(e)) for i, e in named])
        return types.WorkspaceEdit(changes={uri: changes for uri, _, changes in edits})

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, _FILTER)
    def did_rename(params: types.RenameFilesParams) -> None:
        uris = [uri for file in params.files for uri in (file.old_uri, file.new_uri)]
        server.files_changed([path for uri in uris if (path := file_path(uri))])


def _in_manifests(server: AgentBenchServer, old: Path, new: Path) -> list[tuple[str, int | None, list[types.TextEdit]]]:
    found = []
    for folder in dict.fromkeys((old.parent, old.parent.parent, old.parent.parent / "benchmarks")):
        for name, summary in server.analysis.summaries.look(folder).files.items():
            path = folder / name
            if summary.kind != "manifest" or path == old:
                continue
            opened = server.documents.at_path(path)
            document = opened.snapshot if opened else read_document(path)
            edits = _renamed(document, path, old, new, server) if document else []
            if document and edits:
                changes = convert.text_edits(document, edits, server.documents.encoding)
                found.append((path.as_uri(), opened.version if opened else None, changes))
    return found


def _renamed(document: Document, path: Path, old: Path, new: Path, server: AgentBenchServer) -> list[Edit]:
    view = ManifestDocument(document, {}, server.analysis.around(path))
    edits = []
    for node in view.entries:
        target = view.find(node.value)
        if target is None or Path(os.path.normpath(path.parent / target)) != old:
            continue
        tasks = Path(os.path.normpath(path.parent / target.removesuffix(node.value.replace("\\", "/"))))
        if new.is_relative_to(tasks):
            edits.append(Edit(node.start, node.end, json_text(new.relative_to(tasks).as_posix())))
    return edits

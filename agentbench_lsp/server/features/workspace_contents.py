"""A workspace file as a file of its own: reading it, and the edits of the task that write, rename or delete it.

The client applies the edits, so that they can be undone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from agentbench_lsp.language.diagnostics import view_of
from agentbench_lsp.language.finding import Edit
from agentbench_lsp.language.path_uses import uses_of
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.workspace_edits import (
    WorkspaceError,
    content_at,
    remove_file,
    rename_file,
    write_file,
)
from agentbench_lsp.models.paths import fold
from agentbench_lsp.server import convert
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.evaluation_request import read_source
from agentbench_lsp.server.evaluations import REQUEST_FAILED
from agentbench_lsp.server.own_params import text_param

READ, WRITE = "agentbench/readWorkspaceFile", "agentbench/writeWorkspaceFile"
RENAME, DELETE = "agentbench/renameWorkspaceFile", "agentbench/deleteWorkspaceFile"


def register(server: AgentBenchServer) -> None:
    @server.feature(READ)
    def read(params: Any) -> dict[str, Any]:
        """`{"task": uri, "path"}` -> `{"text"}`, or an error that says why there is none."""
        task, path = _task(server, params), text_param(params, "path")
        try:
            text = content_at(task, path)
            text.encode("utf-8")
        except WorkspaceError as exc:
            raise JsonRpcException(str(exc), REQUEST_FAILED) from None
        except UnicodeEncodeError:
            told = f"{path} holds half of a surrogate pair, which no file can hold"
            raise JsonRpcException(told, REQUEST_FAILED) from None
        return {"text": text}

    @server.feature(WRITE)
    def write(params: Any) -> types.WorkspaceEdit:
        """`{"task": uri, "path", "text"}` -> a WorkspaceEdit; a file that is not there is made."""
        task, path, text = _task(server, params), text_param(params, "path"), text_param(params, "text")
        return _edit(server, params, task, lambda: write_file(task, path, text))

    @server.feature(RENAME)
    def rename(params: Any) -> types.WorkspaceEdit:
        """`{"task": uri, "path", "to"}` -> a WorkspaceEdit; oracles and commands follow."""
        task, path, to = _task(server, params), text_param(params, "path"), text_param(params, "to")
        return _edit(server, params, task, lambda: rename_file(task, path, to))

    @server.feature(DELETE)
    def delete(params: Any) -> dict[str, Any]:
        """`{"task": uri, "path"}` -> `{"edit": WorkspaceEdit, "oracles": [index]}`: those that still name the file."""
        task, path = _task(server, params), text_param(params, "path")
        edit = _edit(server, params, task, lambda: remove_file(task, path))
        oracles = {use.oracle for use in uses_of(task, fold(path)) if use.oracle is not None}
        return {"edit": edit, "oracles": sorted(oracles)}


def _task(server: AgentBenchServer, params: Any) -> TaskDocument:
    source = read_source("task", text_param(params, "task"), server.documents)
    view = view_of(source.document, server.specs(source.uri))
    if not isinstance(view, TaskDocument):
        raise JsonRpcException(f"{source.uri} is no task", REQUEST_FAILED)
    return view


def _edit(
    server: AgentBenchServer, params: Any, task: TaskDocument, make: Callable[[], list[Edit]]
) -> types.WorkspaceEdit:
    uri = text_param(params, "task")
    try:
        edits = make()
    except WorkspaceError as exc:
        raise JsonRpcException(str(exc), REQUEST_FAILED) from None
    opened = server.documents.get(uri)
    changes = convert.text_edits(task.document, edits, server.documents.encoding)
    return convert.workspace_edit(uri, opened.version if opened else None, changes, server.client)

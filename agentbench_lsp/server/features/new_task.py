"""`agentbench/folderFiles` and `agentbench/newTask`: a task from nothing, or from files of a real folder."""

from __future__ import annotations

import asyncio
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from agentbench_lsp.dsl.new_task import new_task
from agentbench_lsp.project.folder_files import FolderError, folder_files, read_files
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.documents import file_path
from agentbench_lsp.server.evaluations import REQUEST_FAILED
from agentbench_lsp.server.own_params import text_param, texts_param

FILES, NEW = "agentbench/folderFiles", "agentbench/newTask"
_ID = re.compile(r"[A-Za-z0-9][\w.-]*")


def register(server: AgentBenchServer) -> None:
    @server.feature(FILES)
    async def files(params: Any) -> list[dict[str, Any]]:
        """`{"folder": uri}` -> `[{"path", "size", "refused"}]`: what git does not ignore; why not all can be taken."""
        try:
            found = await asyncio.to_thread(folder_files, _folder(params))
        except FolderError as exc:
            raise JsonRpcException(str(exc), REQUEST_FAILED) from None
        return [asdict(file) for file in found]

    @server.feature(NEW)
    async def new(params: Any) -> dict[str, str]:
        """`{"id", "folder"?: uri, "files"?: [path]}` -> `{"text", "name"}` of a task file with suggested oracles."""
        task_id = text_param(params, "id")
        if not _ID.fullmatch(task_id):
            told = f"{task_id!r} cannot be a task's id: letters, digits, '-', '_' and '.', a letter or digit first"
            raise JsonRpcException(told, REQUEST_FAILED)
        contents: dict[str, str] = {}
        if params.get("folder") is not None:
            try:
                contents = await asyncio.to_thread(read_files, _folder(params), texts_param(params, "files"))
            except (FolderError, OSError, UnicodeDecodeError) as exc:
                raise JsonRpcException(str(exc), REQUEST_FAILED) from None
        return {"text": new_task(task_id, contents), "name": f"{task_id}.task.json"}


def _folder(params: Any) -> Path:
    path = file_path(text_param(params, "folder"))
    if path is None:
        raise JsonRpcInvalidParams("folder must be the URI of a folder on disk")
    return path

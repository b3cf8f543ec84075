"""`agentbench.evaluate`: a task against a trajectory, in a worker process, from the texts as they are in the editor."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from agentbench_lsp.language.document import Document
from agentbench_lsp.models.json_text import read_text
from agentbench_lsp.server.documents import Documents, file_path, uri_path

_log = logging.getLogger(__name__)
_GRACE_SECONDS = 3.0  # for a worker that is told to stop, to end its commands and remove its folders
_LINE_LIMIT = 1 << 28
REQUEST_FAILED = -32803


@dataclass(frozen=True, slots=True)
class Request:
    """What to evaluate: snapshots, and the index of the only oracle, if one was named."""

    task_uri: str
    task: Document
    trajectory_uri: str
    trajectory: Document
    oracle: int | None
    order: int = field(default_factory=itertools.count().__next__)  # later requests have higher ones


def read_request(arguments: object, documents: Documents) -> Request:
    """The command's argument. Raises JsonRpcInvalidParams with what is wrong."""
    if not isinstance(arguments, dict):
        raise JsonRpcInvalidParams('the argument must be an object: {"task": uri, "trajectory": uri, "oracle"?: index}')
    oracle = arguments.get("oracle")
    if oracle is not None and (not isinstance(oracle, int) or isinstance(oracle, bool) or oracle < 0):
        raise JsonRpcInvalidParams(f"oracle must be an index of the task's oracles, counted from 0, not {oracle!r}")
    task_uri, task = _document("task", arguments, documents)
    trajectory_uri, trajectory = _document("trajectory", arguments, documents)
    return Request(task_uri, task, trajectory_uri, trajectory, oracle)


def _document(name: str, arguments: dict[str, Any], documents: Documents) -> tuple[str, Document]:
    uri = arguments.get(name)
    if not isinstance(uri, str) or not uri:
        raise JsonRpcInvalidParams(f"{name} must be the URI of a {name} document")
    if opened := documents.get(uri):
        return uri, opened.snapshot
    path = file_path(uri)
    if path is None:
        raise JsonRpcInvalidParams(f"{name}: {uri} is neither open nor a file")
    try:
        return uri, Document(read_text(path), uri_path(uri))
    except OSError as exc:
        raise JsonRpcInvalidParams(f"{name}: {path} cannot be read: {exc.strerror or exc}") from None
    except UnicodeDecodeError as exc:
        raise JsonRpcInvalidParams(f"{name}: {path} is not UTF-8 text (byte {exc.start})") from None


def _local_path(uri: str) -> str:
    path = file_path(uri)
    return str(path) if path is not None else uri


async def evaluate(request: Request) -> dict[str, Any]:
    """The worker's `done` event. Raises JsonRpcException where the documents cannot be evaluated.

    Cancelling ends the worker, its commands and its folders.
    """
    payload = {
        "task": {"path": _local_path(request.task_uri), "text": request.task.text},
        "trajectory": {"path": _local_path(request.trajectory_uri), "text": request.trajectory.text},
        "oracle": request.oracle,
    }
    async with _worker() as process:
        assert process.stdin is not None  # noqa: S101 - for the type checker
        assert process.stdout is not None  # noqa: S101
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(json.dumps(payload).encode() + b"\n")
            await process.stdin.drain()
        while line := await process.stdout.readline():
            event: dict[str, Any] = json.loads(line)
            if event["event"] == "done":
                return event
            if event["event"] == "error":
                raise JsonRpcException(f"{event['document']}: {event['message']}", REQUEST_FAILED)
        code = await process.wait()
        raise JsonRpcException(f"the evaluation ended without a verdict (exit code {code})", REQUEST_FAILED)


@contextlib.asynccontextmanager
async def _worker() -> AsyncIterator[asyncio.subprocess.Process]:
    """A worker with a session of its own, which ends when its stdin does: with this block, or with the server."""
    new_session: dict[str, Any] = {"start_new_session": True} if sys.platform != "win32" else {}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "agentbench_lsp.gate.worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=_LINE_LIMIT,
        **new_session,
    )
    try:
        yield process
    finally:
        await asyncio.shield(_end(process))


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), _GRACE_SECONDS)
    except TimeoutError:
        _log.error("an evaluation did not stop in time and is killed")
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform != "win32":
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
        await process.wait()

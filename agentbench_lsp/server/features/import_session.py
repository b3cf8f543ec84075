"""`agentbench.import` and `agentbench/sessions`: the session of an agent, made a trajectory, and a task."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from agentbench_lsp.gate.session_files import stem_of, task_id_of, trajectory_beside, write_new
from agentbench_lsp.importers.core.importing import is_session
from agentbench_lsp.importers.core.source import Source
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.documents import file_path
from agentbench_lsp.server.evaluations import REQUEST_CANCELLED, REQUEST_FAILED
from agentbench_lsp.server.progress import Progress
from agentbench_lsp.server.protocol import command_token
from agentbench_lsp.server.worker_process import Event, WorkerError
from agentbench_lsp.server.workers import ReplacedError

IMPORT, SESSIONS = "agentbench.import", "agentbench/sessions"
_ENDINGS = (".jsonl", ".traj", ".eval", ".json", ".md", ".zst")
_PASSED_OVER = frozenset({"node_modules", "__pycache__", ".git", ".venv", "venv"})
_MOST_FOUND, _MOST_LOOKED_AT, _MOST_OFFERED = 200, 20_000, 9


def register(server: AgentBenchServer) -> None:
    @server.command(IMPORT)
    async def import_session(*arguments: Any) -> dict[str, Any]:
        """`{"session"?: uri, "instance"?: id, "root"?: folder, "task"?: bool, "redact"?: bool}`

        -> `{"trajectory": uri, "task": uri or null, "report", "notes"}`. The files are written beside the session where
        that is in the workspace, else into its first folder, and shown; none is written over. Without `session` the
        user is asked for one.
        """
        server.track()
        given = _argument(arguments)
        session = _path(given.get("session")) if given.get("session") is not None else await _asked(server)
        return await _import(server, session, given)

    @server.feature(SESSIONS)
    async def sessions(params: Any) -> list[dict[str, str]]:
        """`{}` -> `[{"uri", "name"}]`: the sessions in the workspace's folders, the newest first."""
        found = await asyncio.to_thread(_found, server.workspace_files.folders())
        return [{"uri": path.as_uri(), "name": name} for path, name in found]


def _argument(arguments: tuple[object, ...]) -> dict[str, Any]:
    given = arguments[0] if arguments else {}
    if len(arguments) > 1 or not isinstance(given, dict):
        told = '{"session"?: uri, "instance"?: id, "root"?: folder, "task"?: bool, "redact"?: bool}'
        raise JsonRpcInvalidParams(f"the command takes one argument, an object: {told}")
    for name in ("instance", "root"):
        if given.get(name) is not None and not isinstance(given[name], str):
            raise JsonRpcInvalidParams(f"{name} must be a text")
    return given


def _path(uri: object) -> Path:
    path = file_path(uri) if isinstance(uri, str) else None
    if path is None or not path.is_file():
        raise JsonRpcInvalidParams(f"session must be the URI of a file on disk, not {uri!r}")
    return path


async def _asked(server: AgentBenchServer) -> Path:
    found = await asyncio.to_thread(_found, server.workspace_files.folders())
    if not found:
        raise JsonRpcException('there is no session in the workspace; name one: {"session": uri}', REQUEST_FAILED)
    names = {name: path for path, name in found[:_MOST_OFFERED]}
    return names[await _choice(server, "Import which session?", list(names))]


async def _choice(server: AgentBenchServer, message: str, titles: list[str]) -> str:
    actions = [types.MessageActionItem(title) for title in titles[:_MOST_OFFERED]]
    answer = await server.window_show_message_request_async(
        types.ShowMessageRequestParams(types.MessageType.Info, message, actions)
    )
    if answer is None or answer.title not in titles:
        raise JsonRpcException("no session was chosen", REQUEST_CANCELLED)
    return answer.title


def _found(folders: list[Path]) -> list[tuple[Path, str]]:
    """Sessions below folders, with the names to call them."""
    found: list[tuple[float, Path, str]] = []
    looked = 0
    for folder in folders:
        for here, inner, names in os.walk(folder):
            inner[:] = sorted(name for name in inner if name not in _PASSED_OVER)
            for name in sorted(names):
                looked += name.endswith(_ENDINGS)
                if looked > _MOST_LOOKED_AT or len(found) >= _MOST_FOUND:
                    break
                path = Path(here, name)
                try:
                    if name.endswith(_ENDINGS) and path.is_file() and is_session(Source(path)):
                        found.append((path.stat().st_mtime, path, path.relative_to(folder).as_posix()))
                except OSError:
                    continue
    return [(path, name) for _, path, name in sorted(found, key=lambda each: -each[0])]


async def _import(server: AgentBenchServer, session: Path, given: dict[str, Any]) -> dict[str, Any]:
    stem = stem_of(session)
    folder = _folder(server, session)
    opened = server.documents.at_path(session)
    text = {"text": opened.snapshot.text} if opened else {}
    wants_task = given.get("task") is True
    task = _free(folder / f"{stem}.task.json", beside=True) if wants_task else None
    output = trajectory_beside(task) if task else _free(folder / f"{stem}.trajectory.json")
    request = {
        "do": "import",
        "session": {"path": str(session), **text},
        "instance": given.get("instance"),
        "root": given.get("root"),
        "output": str(output),
        "task_id": task_id_of(task) if task else None,
        "redact": given.get("redact") is True,
        # What a session's commands do is not known: they are tried in a sandbox, and only where one may run anything.
        "sandboxed": server.trusted,
    }
    done = await _work(server, session, request)
    if "trajectory" not in done:
        names = [name for name in done["sessions"] if name]
        instance = await _choice(server, f"{session.name} holds {len(names)} sessions. Which one?", names)
        done = await _work(server, session, {**request, "instance": instance})
    try:
        for path, content in ((output, done["trajectory"]), (task, done["task"])):
            if path is not None and content is not None:
                await asyncio.to_thread(write_new, path, content, session, False)
    except (OSError, ValueError) as exc:
        raise JsonRpcException(f"the import cannot be written: {exc}", REQUEST_FAILED) from None
    await _show(server, task or output, [*done["notes"], done["summary"][-1]])
    uris = {"trajectory": output.as_uri(), "task": task.as_uri() if task else None}
    return {**uris, "report": done["report"], "notes": done["notes"]}


def _folder(server: AgentBenchServer, session: Path) -> Path:
    folders = server.workspace_files.folders()
    inside = any(session.is_relative_to(folder) for folder in folders)
    return session.parent if inside or not folders else folders[0]


def _free(path: Path, beside: bool = False) -> Path:
    """The path, or the next one that is free; `beside`: so that the trajectory of a task is free, too."""
    suffix = ".task.json" if path.name.endswith(".task.json") else ".trajectory.json"
    stem, tried, number = path.name.removesuffix(suffix), path, 1
    while tried.exists() or (beside and trajectory_beside(tried).exists()):
        number += 1
        tried = path.with_name(f"{stem}-{number}{suffix}")
    return tried


async def _work(server: AgentBenchServer, session: Path, request: Event) -> Event:
    job: asyncio.Task[Event] | None = None

    def cancel() -> None:
        if job is not None:
            job.cancel()

    async with Progress(server, f"Importing {session.name}", command_token.get(), cancel) as progress:
        work = server.evaluations.workers.do(("import", str(session)), request, lambda event: None)
        job = asyncio.get_running_loop().create_task(work)
        try:
            return await job
        except (WorkerError, ReplacedError) as exc:
            told = str(exc) or "another import of this session took its place"
            raise JsonRpcException(f"{session.name}: {told}", REQUEST_FAILED) from None
        except asyncio.CancelledError:
            if progress.cancelled:
                raise JsonRpcException("the import was cancelled", REQUEST_CANCELLED) from None
            raise


async def _show(server: AgentBenchServer, path: Path, lines: list[str]) -> None:
    start = types.Position(0, 0)
    await server.shown_files.show_place(types.Location(path.as_uri(), types.Range(start, start)))
    told = f"{path.name}: " + "; ".join(lines)
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))

"""Evaluating: one worker, progress and cancel, and what was found kept and shown."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.server.documents import file_path, uri_key, uri_path
from agentbench_lsp.server.evaluation_request import Request
from agentbench_lsp.server.progress import Progress
from agentbench_lsp.server.worker_process import Event, WorkerError
from agentbench_lsp.server.workers import ReplacedError, Workers

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

REQUEST_FAILED, SERVER_CANCELLED, REQUEST_CANCELLED = -32803, -32802, -32800
OnEvent = Callable[[Event], None]


class Evaluations:
    """Runs jobs of the worker for requests of the client."""

    def __init__(self, server: AgentBenchServer) -> None:
        self._server = server
        self.workers = Workers(self._interpreter, lambda: server.trusted)

    def _interpreter(self) -> str | None:
        """The setting; a relative path is below the first workspace folder."""
        wanted = self._server.configuration.interpreter
        folders = self._server.workspace_files.folders()
        if wanted and ("/" in wanted or os.sep in wanted) and folders:
            return str(folders[0] / Path(wanted).expanduser())
        return wanted

    def require_trust(self) -> None:
        """Raises JsonRpcException where nothing may be run."""
        if not self._server.trusted:
            told = "the workspace is not trusted, so nothing of it is run; trust it to evaluate its tasks"
            raise JsonRpcException(told, REQUEST_FAILED)

    async def run(
        self,
        name: str,
        request: Request,
        title: str,
        token: types.ProgressToken | None = None,
        on_event: OnEvent | None = None,
    ) -> Event:
        """The `done` event of a job. Raises JsonRpcException.

        A newer job of the same kind for the same task takes the place of an older one. Cancelling ends the worker and
        all it has started.
        """
        self.require_trust()
        kind = name if name in ("bisect", "compare", "changes") else "evaluate" if request.trajectory else "baseline"
        key = kind, uri_key(request.task.uri)
        job: asyncio.Task[Event] | None = None

        def cancel() -> None:
            if job is not None:
                job.cancel()

        progress = Progress(self._server, title, token, cancel)

        def told(event: Event) -> None:
            _report(progress, event)
            if on_event:
                on_event(event)

        async with progress:
            work = self.workers.do(key, request.job(name, self._server.configuration.sandbox), told)
            job = asyncio.get_running_loop().create_task(work)
            try:
                return await job
            except ReplacedError:
                raise JsonRpcException("a newer evaluation of this task took its place", SERVER_CANCELLED) from None
            except WorkerError as exc:
                told_of = f"{exc.document}: " if exc.document else ""
                raise JsonRpcException(f"{told_of}{exc}", REQUEST_FAILED) from None
            except asyncio.CancelledError:
                if progress.cancelled:
                    raise JsonRpcException("the evaluation was cancelled", REQUEST_CANCELLED) from None
                raise

    async def evaluate(self, request: Request, token: types.ProgressToken | None = None) -> Any:
        """Evaluate, or make a baseline; keep what was found, show it, and give back the report."""
        return (await self._kept("evaluate", request, token))["report"]

    async def report(self, request: Request, token: types.ProgressToken | None = None) -> Event:
        """Evaluate for the page of the report: `{"report", "html"}`."""
        return await self._kept("report", request, token)

    async def _kept(self, name: str, request: Request, token: types.ProgressToken | None) -> Event:
        server = self._server
        task = TaskDocument(request.task.document, server.specs(request.task.uri))
        stamps = server.analysis.stamps(file_path(request.task.uri))
        kept: list[dict[str, Any]] = []

        def keep(report: dict[str, Any]) -> None:
            if kept and kept[-1] == report:
                return
            kept.append(report)
            server.results_changed(server.results.store(request, report, task, stamps))

        def on_event(event: Event) -> None:
            if event["event"] == "verdict":
                keep(event["report"])

        what = "Evaluating" if request.trajectory else "Baseline of"
        title = f"{what} {uri_path(request.task.uri).rpartition('/')[2]}"
        done = await self.run(name, request, title, token, on_event)
        keep(done["report"])
        return done

    async def stop(self) -> None:
        """End what runs, for good."""
        await self.workers.stop()


def _report(progress: Progress, event: Event) -> None:
    match event["event"]:
        case "start":
            again = " on the untouched workspace" if event["untouched"] else ""
            percentage = 100 * (event["position"] - 1) // event["of"]
            progress.report(percentage, f"oracle {event['oracle']}: {event['type']}{again}")
        case "run":
            progress.report(100 * (event["number"] - 1) // event["of"], f"run {event['number']} of about {event['of']}")
        case _:
            pass

"""The one worker that is kept warm, and the queue of what it is to do."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Hashable
from typing import Any

from agentbench_lsp.server.worker_process import Event, WorkerError, WorkerProcess, all_ended

_log = logging.getLogger(__name__)
_MOST_JOBS = 500  # of one process; then a fresh one takes its place


class ReplacedError(Exception):
    """A newer job of the same kind has taken this one's place."""


class Workers:
    """Does one job at a time, in order. A newer job with the same key replaces an older one.

    `interpreter` says which one the next job wants, None for our own; `is_wanted` whether a worker may be kept warm.
    """

    def __init__(self, interpreter: Callable[[], str | None], is_wanted: Callable[[], bool]) -> None:
        self._interpreter, self._is_wanted = interpreter, is_wanted
        self._worker: WorkerProcess | None = None
        self._done = 0
        self._turn = asyncio.Lock()
        self._jobs: dict[Hashable, asyncio.Task[Any]] = {}
        self._replaced: set[asyncio.Task[Any]] = set()
        self._warming: asyncio.Task[None] | None = None
        self._stopped = False

    async def do(self, key: Hashable, request: Event, on_event: Callable[[Event], None]) -> Event:
        """The `done` event of a job. Raises WorkerError, ReplacedError.

        Cancelling the caller ends the worker with all it has started.
        """
        task = asyncio.get_running_loop().create_task(self._do(request, on_event))
        older = self._jobs.get(key)
        self._jobs[key] = task
        if older is not None and not older.done():
            self._replaced.add(older)
            older.cancel()
        try:
            return await task
        except asyncio.CancelledError:
            if task in self._replaced:
                raise ReplacedError from None
            raise  # the task has been cancelled with its caller, and has ended
        finally:
            self._replaced.discard(task)
            if self._jobs.get(key) is task:
                del self._jobs[key]

    async def _do(self, request: Event, on_event: Callable[[Event], None]) -> Event:
        async with self._turn:
            worker = await self._ready()
            finished = False
            try:
                event = await worker.ask(request, on_event)
                finished = True
                self._done += 1
                return event
            except WorkerError as exc:
                finished = exc.document is not None  # its own answer: it is as good as before
                raise
            finally:
                if not finished:
                    self._worker = None
                    await worker.end()
                    self.warm_up()

    async def _ready(self) -> WorkerProcess:
        """A worker of the interpreter that is wanted."""
        wanted = self._interpreter() or sys.executable
        worker = self._worker
        if worker is not None and (not worker.alive or worker.interpreter != wanted or self._done >= _MOST_JOBS):
            self._worker = None
            await worker.end()
            worker = None
        if worker is None:
            worker = self._worker = await WorkerProcess.start(wanted)
            self._done = 0
        return worker

    def warm_up(self) -> None:
        """Have a worker ready for the next job."""
        if self._is_wanted() and not self._stopped and (self._warming is None or self._warming.done()):
            self._warming = asyncio.get_running_loop().create_task(self._warm_up())

    async def _warm_up(self) -> None:
        async with self._turn:
            try:
                await self._ready()
            except WorkerError as exc:
                _log.warning("%s", exc)  # told again, to the user, when a job needs it

    async def cancel(self) -> None:
        """End what runs and the worker; there may be more jobs later."""
        tasks = [task for task in (*self._jobs.values(), self._warming) if task is not None and not task.done()]
        for task in tasks:
            if not task.cancelling():
                task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.end()

    async def stop(self) -> None:
        """For good."""
        self._stopped = True
        await self.cancel()
        await all_ended()

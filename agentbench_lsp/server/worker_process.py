"""One worker: the child process that evaluates. Whatever ends it, nothing it started is left, neither on disk."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
from collections.abc import Callable
from typing import Any

from agentbench_lsp.gate.child import child_command
from agentbench_lsp.runner.process_tree import kill_group, kill_marked, new_group

_log = logging.getLogger(__name__)
_MARK = "AGENTBENCH_WORKER_MARK"  # in the environment of all that a worker starts
_GRACE_SECONDS = 0.6  # to end its commands and remove its folders by itself
_START_SECONDS = 30.0
_SLACK_SECONDS = 15.0  # above an oracle's own limit, until the worker itself is stopped
_LINE_LIMIT = 1 << 28
Event = dict[str, Any]


_ending: set[asyncio.Task[None]] = set()


async def all_ended() -> None:
    """Wait for the ends of workers that nobody waits for any more."""
    while _ending:
        await asyncio.wait(set(_ending))


class WorkerError(Exception):
    """The worker cannot do what it is asked; the message says why. `document` is what is at fault, if that is known."""

    def __init__(self, message: str, document: str | None = None) -> None:
        super().__init__(message)
        self.document = document


class WorkerProcess:
    """Made by `start`. Takes one request at a time; `end` must be called in the end."""

    def __init__(self, process: asyncio.subprocess.Process, mark: str, folder: str, interpreter: str) -> None:
        self.interpreter = interpreter
        self._process, self._mark, self._folder = process, mark, folder
        self._ids = itertools.count()
        self._ended: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, interpreter: str) -> WorkerProcess:
        """A worker with a session of its own, ready for a request. Raises WorkerError where there can be none."""
        import shutil
        import tempfile

        mark, folder = os.urandom(16).hex(), tempfile.mkdtemp(prefix="agentbench-worker-")
        try:
            process = await asyncio.create_subprocess_exec(
                *child_command("agentbench_lsp.gate.worker", interpreter),
                folder,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LINE_LIMIT,
                env={**os.environ, _MARK: mark},
                **new_group(),
            )
        except BaseException as exc:
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(exc, OSError):
                raise WorkerError(f"the interpreter {interpreter} cannot be started: {exc.strerror or exc}") from None
            raise
        worker = cls(process, mark, folder, interpreter)
        try:
            await worker._start_up()
        except BaseException:
            await worker.end(at_once=True)  # it runs nothing yet, and may be a program that only floods its output
            raise
        return worker

    async def _start_up(self) -> None:
        """Wait until it is ready. Raises WorkerError."""
        try:
            async with asyncio.timeout(_START_SECONDS):
                event = await self._event()
        except TimeoutError:
            raise WorkerError(f"{self.interpreter} did not start within {_START_SECONDS:g} s") from None
        if event is None or event.get("event") != "ready":
            said = event.get("message") if event else None
            raise WorkerError(str(said or f"{self.interpreter} is no Python that can evaluate"))

    @property
    def alive(self) -> bool:
        return self._ended is None and self._process.returncode is None

    async def _event(self) -> Event | None:
        assert self._process.stdout is not None  # noqa: S101 - for the type checker
        line = await self._process.stdout.readline()
        if not line:
            return None
        try:
            event: Event = json.loads(line)
        except ValueError:  # what an interpreter prints that is none
            return None
        return event

    async def ask(self, request: Event, on_event: Callable[[Event], None]) -> Event:
        """The `done` event of a request; `on_event` gets those before it.

        Raises WorkerError with the worker's own error, where it ends, and where the oracle that it has started gives
        no sign of life for longer than it may run.
        """
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        request_id = next(self._ids)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._process.stdin.write(json.dumps({**request, "id": request_id}).encode() + b"\n")
            await self._process.stdin.drain()
        seconds: float | None = None
        while True:
            try:
                async with asyncio.timeout(seconds):
                    event = await self._event()
            except TimeoutError:
                raise WorkerError(f"no answer within {seconds:g} s; the evaluation was stopped") from None
            if event is None:
                code = await self._process.wait()
                raise WorkerError(f"the evaluation ended without a verdict (exit code {code})")
            if event.get("id") != request_id:
                continue
            if event["event"] == "error":
                raise WorkerError(event["message"], event.get("document"))
            if event["event"] == "done":
                return event
            on_event(event)
            limit = event.get("seconds")
            seconds = limit + _SLACK_SECONDS if isinstance(limit, int | float) else None

    async def end(self, at_once: bool = False) -> None:
        """End it with all it has started, and remove its folder. Not cut short by a cancellation."""
        if self._ended is None:
            self._ended = asyncio.get_running_loop().create_task(self._end(0.0 if at_once else _GRACE_SECONDS))
            _ending.add(self._ended)
            self._ended.add_done_callback(_ending.discard)
        await asyncio.shield(self._ended)

    async def _end(self, grace: float) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), grace)
        except TimeoutError:
            if grace:
                _log.warning("a worker did not end by itself and is killed")
            kill_group(self._process.pid)
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        # Where it could not do so itself: what left its group, and its folder.
        await asyncio.to_thread(self._clean_up)

    def _clean_up(self) -> None:
        import shutil

        kill_marked(_MARK, self._mark)
        shutil.rmtree(self._folder, ignore_errors=True)

"""Pattern matches from a child process, so that no user's regex ever runs in the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from collections import OrderedDict
from collections.abc import Callable

from agentbench_lsp.language.surroundings import Spans
from agentbench_lsp.project.matching import SECONDS

_log = logging.getLogger(__name__)
_MOST_KNOWN = 4096
_BATCH = 64
_ATTEMPTS = 2  # a child may be killed by chance, or by the question
_LIMIT = 1 << 26
_GRACE = 2.0  # seconds beyond the worker's own limit
Question = tuple[str, str, int]


class MatchWorker:
    """Answers from memory; what it does not know it asks the child, and tells when the answers are there."""

    def __init__(self, on_news: Callable[[], None]) -> None:
        self._known: OrderedDict[Question, Spans | None] = OrderedDict()
        self._wanted: OrderedDict[Question, None] = OrderedDict()
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._on_news = on_news
        self._owed = 0  # answers that the child was asked for and has not given

    @property
    def task(self) -> asyncio.Task[None] | None:
        """What is done when all answers are there."""
        return self._task

    @property
    def pending(self) -> bool:
        """True while answers are on their way."""
        return self._task is not None and not self._task.done()

    def find(self, pattern: str, text: str, flags: int) -> Spans | None:
        """Spans of the matches; None where they are not known, or not known yet."""
        question = (pattern, text, flags)
        if question in self._known:
            self._known.move_to_end(question)
            return self._known[question]
        self._wanted[question] = None
        if not self.pending:
            self._task = asyncio.get_running_loop().create_task(self._work())
            self._task.add_done_callback(lambda _: self._on_news())  # when it can be asked again
        return None

    async def _work(self) -> None:
        while self._wanted:
            batch = [self._wanted.popitem(last=False)[0] for _ in range(min(_BATCH, len(self._wanted)))]
            await self._ask([question for question in batch if question not in self._known])
            while len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)

    async def _ask(self, questions: list[Question]) -> None:
        """Ask in one go, read the answers. A child that is late is ended, and its question counts as answered."""
        for i, question in enumerate(questions):
            for _ in range(_ATTEMPTS):
                try:
                    async with asyncio.timeout(SECONDS + _GRACE):
                        self._known[question] = await self._answer(questions[i:])
                    break
                except (TimeoutError, OSError, ValueError) as exc:
                    _log.warning("a pattern could not be searched: %s", type(exc).__name__)
                    await self.stop_process()
                    if isinstance(exc, TimeoutError):
                        break
            self._known.setdefault(question, None)

    async def _answer(self, questions: list[Question]) -> Spans | None:
        """The answer to the first question. A child that was just started is told all of them."""
        process = await self._running()
        assert process.stdin is not None  # noqa: S101 - for the type checker
        assert process.stdout is not None  # noqa: S101
        if not self._owed:
            self._owed = len(questions)
            process.stdin.write(b"".join(json.dumps(question).encode() + b"\n" for question in questions))
        line = await process.stdout.readline()
        self._owed -= 1
        answer = json.loads(line)  # ValueError where the child has ended
        return None if answer is None else tuple((start, end) for start, end in answer)

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._owed = 0
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "agentbench_lsp.project.match_worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LIMIT,
            )
        return self._process

    async def stop_process(self) -> None:
        """End the child."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def stop(self) -> None:
        """End the child and what waits for it."""
        if self._task is not None:
            self._wanted.clear()
            self._on_news = _nothing
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.stop_process()


def _nothing() -> None:
    """Nobody is told any more."""

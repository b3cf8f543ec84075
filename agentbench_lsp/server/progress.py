"""Progress that the client shows: with the token of its request, or one of our own where it takes that."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_numbers = itertools.count()


class Progress:
    """Use it in `async with`. `on_cancel` is called when the user presses the progress' own cancel button.

    The work does not wait for the client to show it.
    """

    def __init__(
        self,
        server: AgentBenchServer,
        title: str,
        token: types.ProgressToken | None = None,
        on_cancel: Callable[[], None] | None = None,
    ) -> None:
        self._server, self._title, self._on_cancel = server, title, on_cancel
        self._given = token
        self._token: types.ProgressToken | None = None  # once it is shown
        self._creating: asyncio.Task[None] | None = None
        self._last: tuple[int, str] | None = None
        self._over = False
        self.cancelled = False

    async def __aenter__(self) -> Progress:
        if self._given is not None:
            self._begin(self._given)
        elif self._server.client.progress:
            self._creating = asyncio.get_running_loop().create_task(self._create())
        return self

    async def _create(self) -> None:
        token = f"agentbench-{next(_numbers)}"
        try:
            await self._server.work_done_progress.create_async(token)
        except Exception:  # noqa: BLE001 - a client that refuses goes without
            return
        if self._over:
            self._server.work_done_progress.tokens.pop(token, None)
        else:
            self._begin(token)

    def _begin(self, token: types.ProgressToken) -> None:
        self._token = token
        begin = types.WorkDoneProgressBegin(self._title, cancellable=self._on_cancel is not None, percentage=0)
        self._server.work_done_progress.begin(token, begin)
        if self._on_cancel is not None:
            self._server.work_done_progress.tokens[token].add_done_callback(self._done)
        if self._last is not None:
            self.report(*self._last)

    def _done(self, future: Future[Any]) -> None:
        if future.cancelled() and self._on_cancel is not None and not self.cancelled:
            self.cancelled = True
            self._on_cancel()

    def report(self, percentage: int, message: str) -> None:
        """How far it is, and with what."""
        self._last = percentage, message
        if self._token is not None:
            value = types.WorkDoneProgressReport(message=message, percentage=percentage)
            self._server.work_done_progress.report(self._token, value)

    async def __aexit__(self, *_: object) -> None:
        self._over = True
        if self._token is not None:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
            self._server.work_done_progress.tokens.pop(self._token, None)

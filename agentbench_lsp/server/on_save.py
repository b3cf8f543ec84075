"""What is evaluated when a document is saved: nothing, unless a setting wants it and the workspace is trusted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.oracles.base import FileOracle, find_oracle
from agentbench_lsp.server.evaluation_request import Request, read_source
from agentbench_lsp.server.trajectories import likeliest_trajectory
from agentbench_lsp.syntax.nodes import StringNode

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_log = logging.getLogger(__name__)


class OnSave:
    """`agentbench.evaluateOnSave` and `agentbench.baselineOnSave`. Never asks anything."""

    def __init__(self, server: AgentBenchServer) -> None:
        self._server = server
        self._running: set[asyncio.Task[None]] = set()

    def saved(self, uri: str) -> None:
        """A document was saved: a task, or the trajectory that tasks were evaluated with last."""
        server, settings = self._server, self._server.configuration
        opened = server.documents.get(uri)
        if opened is None or not server.trusted or not (settings.evaluate_on_save or settings.baseline_on_save):
            return
        view = server.analysis.view(opened)
        if isinstance(view, TaskDocument):
            if settings.baseline_on_save and _runs_nothing(view):
                self._start(self._baseline(uri))
            if settings.evaluate_on_save:
                self._start(self._evaluate(uri))
        elif opened.snapshot.kind == "trajectory" and settings.evaluate_on_save:
            for task in server.results.tasks_of(uri):
                self._start(self._evaluate(task))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._quietly(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        self._server.track()
        try:
            await work
        except JsonRpcException as exc:
            _log.info("not evaluated on save: %s", exc)

    async def _baseline(self, uri: str) -> None:
        await self._server.evaluations.evaluate(Request(read_source("task", uri, self._server.documents), None, None))

    async def _evaluate(self, uri: str) -> None:
        """With the trajectory used last, else the likeliest."""
        source = read_source("task", uri, self._server.documents)
        recorded = await likeliest_trajectory(self._server, source)
        if recorded is not None:
            await self._server.evaluations.evaluate(Request(source, recorded, None))


def _runs_nothing(task: TaskDocument) -> bool:
    """True for a task of file oracles only."""
    types = [oracle.type_node.value for oracle in task.oracles if isinstance(oracle.type_node, StringNode)]
    return bool(types) and all(isinstance(find_oracle(name), FileOracle) for name in types)

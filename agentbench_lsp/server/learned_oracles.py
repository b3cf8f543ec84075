"""What custom oracles say of themselves when their modules are imported: in the worker, and only where that is trusted.

Their source text tells it without that, unless their `params` are computed; and the packages of another interpreter
cannot be seen from here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.oracles.base import OracleSpec, Param
from agentbench_lsp.server.results import Stamp, stamp_of
from agentbench_lsp.server.worker_process import WorkerError
from agentbench_lsp.server.workers import ReplacedError

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_log = logging.getLogger(__name__)
_Key = tuple[Path, str | None, tuple[tuple[Path, Stamp], ...]]


class LearnedOracles:
    """Specs by project. `on_news` is called when the worker has told something new."""

    def __init__(self, server: AgentBenchServer, on_news: Callable[[], None]) -> None:
        self._server, self._on_news = server, on_news
        self._known: dict[_Key, dict[str, OracleSpec]] = {}
        self._asking: dict[_Key, asyncio.Task[None]] = {}

    def merged(self, folder: Path, catalogue: Catalogue) -> dict[str, OracleSpec]:
        """The catalogue of a folder's project with what has been learned. Has the worker asked where that is needed."""
        specs = dict(catalogue)
        unknown = {name for name, custom in catalogue.custom.items() if custom.spec.params is None}
        interpreter = self._server.configuration.interpreter
        if not self._server.trusted or not (unknown or interpreter):
            return specs
        project = catalogue.project
        stamps = tuple((file, stamp_of(file)) for file in project.oracle_files)
        key = (project.root or folder, interpreter, stamps)
        if key not in self._known:
            if key not in self._asking:
                self._asking[key] = asyncio.get_running_loop().create_task(self._ask(key))
            return specs
        learned = {name: spec for name, spec in self._known[key].items() if name in unknown or name not in specs}
        return specs | learned

    async def _ask(self, key: _Key) -> None:
        self._server.track()
        found: dict[str, OracleSpec] = {}
        try:
            request = {"do": "catalogue", "folder": str(key[0])}
            answer = await self._server.evaluations.workers.do(("catalogue", key[0]), request, lambda event: None)
            for name, told in answer["oracles"].items():
                if "error" in told:
                    _log.warning("the oracle %r cannot be loaded: %s", name, told["error"])
                else:
                    found[name] = _spec(told)
        except (WorkerError, ReplacedError) as exc:
            _log.warning("custom oracles could not be asked for their params: %s", exc)
        finally:
            self._asking.pop(key, None)
        self._known[key] = found
        if found:
            self._on_news()


def _spec(told: Mapping[str, Any]) -> OracleSpec:
    params = told["params"]
    declared = None if params is None else tuple(Param(**param) for param in params)
    return OracleSpec(told["type"], declared, told["doc"], told["time_limit"], told["guard"])

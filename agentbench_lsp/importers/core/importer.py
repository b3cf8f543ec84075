"""What an importer is, and which there are."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import ClassVar

from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source

GROUP = "agentbench.importers"
_log = logging.getLogger(__name__)


class Importer(ABC):
    """Reads sessions of one format. Its module's docstring is its documentation.

    A class of this kind is found where its module lies in `agentbench_lsp.importers`, or by an entry point of the
    group `agentbench.importers` that names it.
    """

    name: ClassVar[str]  # for --format
    title: ClassVar[str]
    generic: ClassVar[bool] = False  # asked last, after those that know an agent's own format

    @abstractmethod
    def recognise(self, head: Head) -> str | None:
        """By what a file's beginning is known as a session of this format; None where it is none."""

    @abstractmethod
    def read(self, source: Source) -> Iterator[Recorder]:
        """Each session of a file, finished. Raises OSError."""


@cache
def importers() -> dict[str, Importer]:
    """Importers by name, those of this package first. One that cannot be loaded is logged and left out."""
    from agentbench_lsp import importers as package

    found: dict[str, Importer] = {}
    for info in iter_modules(package.__path__):
        if not info.ispkg:
            for value in vars(import_module(f"{package.__name__}.{info.name}")).values():
                if isinstance(value, type) and issubclass(value, Importer) and value.__module__.endswith(info.name):
                    found[value.name] = value()
    for point in entry_points(group=GROUP):
        try:
            loaded = point.load()
            found.setdefault(loaded.name, loaded())
        except Exception:  # noqa: BLE001 - somebody else's package must not take the others down
            _log.exception("the importer %s cannot be loaded", point.name)
    return found

"""Forms of the report of `agentbench check`, one file each: `write(reports) -> text`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from agentbench_lsp.project.checking import FileReport

FORMATS = ("text", "json", "github", "sarif", "junit")
Writer = Callable[[Sequence[FileReport]], str]


def writer(name: str) -> Writer:
    """The writer of a form; only its module is imported."""
    found: Writer = import_module(f"{__name__}.{name}").write
    return found

"""Refactorings: one file each, with a function `offer(view, start, end)`. A module put here is one by being there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from agentbench_lsp.language.refactoring import Refactoring
from agentbench_lsp.language.view import DocumentView

Offer = Callable[[DocumentView, int, int], Iterator[Refactoring]]


@cache
def all_offers() -> tuple[Offer, ...]:
    """The functions of all modules, by name."""
    return tuple(import_module(f"{__name__}.{info.name}").offer for info in iter_modules(__path__))

"""What a rule is, and what it finds."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from agentbench_lsp.dsl.schema import Kind


class Severity(enum.Enum):
    """As in LSP; the value is the word that settings use and `agentbench check` prints."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Edit:
    """The text from `start` to `end` becomes `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that settles a finding. `safe`: it cannot make the task judge otherwise than its author meant."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """Another place of the same document that a finding is about."""

    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic: a range of the text, a stable code, what is wrong and what to do."""

    code: str
    severity: Severity
    start: int
    end: int
    message: str
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule's stable code, its severity and its title; `kinds` are the documents it looks at."""

    code: str
    severity: Severity
    title: str
    kinds: tuple[Kind, ...] = ("task", "trajectory", "manifest")

    def at(
        self,
        start: int,
        end: int,
        message: str,
        severity: Severity | None = None,
        fixes: Iterable[Fix] = (),
        related: Iterable[Related] = (),
    ) -> Finding:
        """A finding of this rule."""
        return Finding(self.code, severity or self.severity, start, end, message, tuple(fixes), tuple(related))


# A check is called with the view of the document's kind only, which is what `Rule.kinds` says.
Check = Callable[[Any], Iterator[Finding]]


def replace(start: int, end: int, text: str, title: str, safe: bool = False) -> Fix:
    """A fix of one edit."""
    return Fix(title, (Edit(start, end, text),), safe)

"""What a rule is, and what it finds."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agentbench_lsp.dsl.schema import DocumentKind
from agentbench_lsp.language.task_document import TaskDocument


class Severity(enum.Enum):
    """As in LSP; the value is the word `agentbench check` prints."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic: a range of the text, a stable code, what is wrong and what to do."""

    code: str
    severity: Severity
    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule's stable code, its severity and its title; `kinds` are the documents it looks at."""

    code: str
    severity: Severity
    title: str
    kinds: tuple[DocumentKind, ...] = ("task", "trajectory", "manifest")

    def at(self, start: int, end: int, message: str, severity: Severity | None = None) -> Finding:
        """A finding of this rule."""
        return Finding(self.code, severity or self.severity, start, end, message)


Check = Callable[[TaskDocument], Iterator[Finding]]

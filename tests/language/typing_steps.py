"""What an edit of one character may change: only what it touches. Shared by the properties and the exhaustive run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from agentbench_lsp.language.diagnostics import findings, view_of
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.symbols import Symbol, flat, symbols
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.oracles.base import registered_specs
from tests.conftest import TASKS
from tests.helpers.known import Known

FILES = sorted(TASKS.rglob("*.json"))
TEXTS = {file: file.read_text(encoding="utf-8") for file in FILES}
SPECS = registered_specs()
# Typed characters, and the pairs that editors make of them.
TYPED = ("{", "}", "[", "]", ":", ",", '"', "\\", "x", "1", " ", "\n", "{}", "[]", '""')


def view(text: str, file: Path) -> DocumentView:
    found = view_of(Document(text, file.as_posix()), SPECS, Known({}, file.name))
    assert found is not None, "it is no longer a document of ours"
    return found


@dataclass(frozen=True)
class Whole:
    """A document before an edit."""

    file: Path
    text: str

    def units(self) -> list[Symbol]:
        """What an author thinks of as one thing: a field, a workspace file, an oracle, a step."""
        return list(flat(symbols(view(self.text, self.file))))


def names(found: list[Symbol]) -> Counter[tuple[str, str, str]]:
    return Counter((s.kind, s.name, s.detail) for s in found)


def untouched(units: list[Symbol], start: int, end: int) -> list[Symbol]:
    """Units that an edit between two offsets is not in, nor next to: one that grows together with it is touched."""
    return [s for s in units if end < s.start or start > s.end]


def lost_symbols(whole: Whole, units: list[Symbol], text: str, start: int, end: int) -> Counter[tuple[str, str, str]]:
    """Symbols of what was not touched that are gone after an edit."""
    after = list(flat(symbols(view(text, whole.file))))
    return names(untouched(units, start, end)) - names(after)


# Rules that judge an oracle by itself alone: what is typed elsewhere does not change what they find.
LOCAL = frozenset(
    {"invalid-regex", "missing-param", "wrong-type", "unknown-param", "empty-value", "unknown-oracle-type"}
    | {"missing-oracle-type", "suspicious-timeout", "exit-code-hidden", "json-escape-in-pattern"}
    | {"catastrophic-pattern", "pattern-matches-empty", "path-escapes-workspace", "path-not-normalized"}
)


def local_findings(text: str, file: Path, ranges: list[tuple[int, int]] | None = None) -> Counter[tuple[str, str, str]]:
    """Findings of `LOCAL` rules: code, message, marked text; in these ranges, or in all of the document."""
    found: Counter[tuple[str, str, str]] = Counter()
    for f in findings(view(text, file)):
        inside = ranges is None or any(start <= f.start and f.end <= end for start, end in ranges)
        if f.code in LOCAL and inside:
            found[f.code, f.message, text[f.start : f.end]] += 1
    return found


def edits(text: str, at: int) -> list[tuple[str, int, int]]:
    """Every edit of one character at an offset: `(text after, start, end)` with the range that it replaces."""
    typed = [(text[:at] + t + text[at:], at, at) for t in TYPED]
    return typed + ([(text[:at] + text[at + 1 :], at, at + 1)] if at < len(text) else [])

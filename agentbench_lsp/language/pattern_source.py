"""Lines of a file that are worth a pattern: assertions first, then definitions, then what else stands out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from agentbench_lsp.language.regex_text import escape_regex

_MOST_LINES = 5_000
_MOST = 60
_ASSERTION = re.compile(
    r"^\s*(?:assert\b|self\.assert\w+\(|assert\w*[!.(]|expect\(|(?:t|test)\.(?:is|equal|deepEqual|ok)\("
    r"|with pytest\.raises|require\.\w+\(|(?:\[|test) .*\s*\|\||EXPECT_|ASSERT_|raise AssertionError)"
)
_TEST_DEFINITION = re.compile(
    r"^\s*(?:async\s+)?(?:def|func|fn|function)\s+\w*[tT]est\w*\s*\(|^\s*(?:it|test|describe)\(|^class\s+\w*Test\w*"
)
_DEFINITION = re.compile(
    r"^\s*(?:export\s+|pub\s+|public\s+|static\s+|async\s+|default\s+)*"
    r"(?:def|class|function|func|fn|struct|enum|interface|type|trait|impl|const|let|var)\s+\w+"
)
_SETTING = re.compile(r"^\s*(?:[\"']?[\w.-]+[\"']?\s*[:=]\s*\S|\[[\w. -]+\]\s*$|#{1,6} \S|- name: \S)")
_NOISE = re.compile(r"^\s*(?:import|from|using|#include|package|require)\b|^\s*(?://|/\*|\*|#!|\"\"\"|''')")


class TellingPattern(NamedTuple):
    """A regex for one line: the line's number (from 1) and text, and how much it tells (lower is better)."""

    pattern: str
    line: str
    number: int
    rank: int

    @property
    def is_assertion(self) -> bool:
        return self.rank == 0


@lru_cache(maxsize=512)
def telling_patterns(content: str, path: str = "") -> tuple[TellingPattern, ...]:
    """Patterns for the lines of a file, the most useful first; `path` tells a test from other code."""
    lines = content.splitlines()[:_MOST_LINES]
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.strip()] = counts.get(line.strip(), 0) + 1
    found = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        rank = _rank(line)
        if rank is None or len(text) < 3:
            continue
        if counts[text] > 1:
            rank += 1  # a line that stands twice survives the deletion of one
        shown = _definition_head(text) if rank in (1, 2) else text
        found.append(TellingPattern(escape_regex(shown), text, number, rank))
    unique = {p.pattern: p for p in sorted(found, key=lambda p: (p.rank, p.number), reverse=True)}
    return tuple(sorted(unique.values(), key=lambda p: (p.rank, p.number))[:_MOST])


def _rank(line: str) -> int | None:
    if _ASSERTION.match(line):
        return 0
    if _TEST_DEFINITION.match(line):
        return 1
    if _NOISE.match(line):
        return None
    if _DEFINITION.match(line):
        return 2
    return 3 if _SETTING.match(line) else None


def _definition_head(text: str) -> str:
    """A definition up to its opening bracket: its params may change without harm."""
    head, bracket, _ = text.partition("(")
    return head + bracket if bracket and re.search(r"\w$", head) else text

"""A looser pattern that matches, for an assertion that is not found: proposed to the author, never used silently."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from agentbench_lsp.runner import regex

_SECONDS = 1.0  # for all proposals together
_CLOSE = 0.6  # of 1: how alike a line is that may be meant
_MOST_LINES, _LONGEST = 2000, 300


class Nearest(NamedTuple):
    """`why`: what the pattern no longer insists on."""

    pattern: str
    why: str


def nearest_pattern(pattern: str, text: str, hints: Sequence[str] = ()) -> Nearest | None:
    """The first of our loosenings, the least loose first, that matches `text`; None where none does.

    `hints` are lines that the matched line is known to have become.
    """
    end = time.monotonic() + _SECONDS
    for candidate in _candidates(pattern, text, hints):
        left = end - time.monotonic()
        if left <= 0:
            return None
        try:
            if candidate.pattern != pattern and regex.search(candidate.pattern, text, re.MULTILINE, left):
                return candidate
        except (re.error, OverflowError, RecursionError, regex.RegexTimeoutError):
            continue
    return None


def _candidates(pattern: str, text: str, hints: Sequence[str]) -> Iterator[Nearest]:
    # A flag must stand at the very start, where the pattern may have flags of its own.
    yield Nearest(f"(?i){pattern}", "case")
    spaced = re.sub(r"(?:\\? )+|\\s", r"\\s*", pattern) if "[" not in pattern else pattern
    yield Nearest(re.sub(r"(?:\\s\*)+[*+?]?", r"\\s*", spaced), "white space")
    yield Nearest(re.sub(r"\\?[\"']", "[\"']", pattern) if "[" not in pattern else pattern, "the kind of quotes")
    yield Nearest(re.sub(r"^(?:\^|\\A)|(?:\$|\\Z)$", "", pattern), "the start and end of the line")
    yield Nearest(literal(pattern), "special characters: the pattern as literal text")
    for hint in hints:
        yield Nearest(literal(hint), "what the line was before the agent changed it")
    if line := _closest_line(pattern, text):
        yield Nearest(literal(line), "what differs from the most similar line of the file")


def literal(text: str) -> str:
    """A pattern for just this text. Escapes what must be, and leaves spaces, quotes and the like readable."""
    return re.sub(r"[\\.^$*+?{}\[\]|()]", r"\\\g<0>", text)


def _closest_line(pattern: str, text: str) -> str | None:
    wanted = re.sub(r"\\([^\w])", r"\1", pattern)
    best: tuple[float, str] | None = None
    for line in text.splitlines()[:_MOST_LINES]:
        stripped = line.strip()
        if not stripped or len(stripped) > _LONGEST:
            continue
        matcher = SequenceMatcher(None, stripped, wanted, autojunk=False)
        if matcher.real_quick_ratio() < _CLOSE or matcher.quick_ratio() < _CLOSE:
            continue
        ratio = matcher.ratio()
        if ratio >= _CLOSE and (best is None or ratio > best[0]):
            best = ratio, stripped
    return best[1] if best else None

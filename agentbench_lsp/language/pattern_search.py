"""What a pattern finds in the workspace file it is for, and if nothing, the most telling reason."""

from __future__ import annotations

import enum
import re
from difflib import SequenceMatcher
from functools import lru_cache

from agentbench_lsp.dsl.regex_syntax import regex_fault
from agentbench_lsp.language.regex_text import is_plain, literal_part
from agentbench_lsp.language.surroundings import Spans, Surroundings
from agentbench_lsp.language.task_document import PatternView

_MOST_LINES = 5_000
_SIMILAR = 0.6


class Outcome(enum.Enum):
    """Why a pattern matches or does not, one reason each."""

    UNKNOWN = "not known"
    MATCHES = "matches"
    MATCHES_WITH_LF = "matches once CRLF line ends are read as LF"
    LITERAL = "its own text stands in the file"
    OTHER_CASE = "matches in another case"
    NONE = "no match"


def outcome(view: PatternView, around: Surroundings) -> Outcome:
    """As the evaluator would judge today's workspace file. Several rules ask for it."""
    found = view.known.get("outcome") or _outcome(view, around)
    if found is not Outcome.UNKNOWN:  # which it may not stay
        view.known["outcome"] = found
    return found


def _outcome(view: PatternView, around: Surroundings) -> Outcome:
    content, pattern = view.content, view.pattern
    if content is None or not pattern or regex_fault(pattern):
        return Outcome.UNKNOWN
    plain = content.replace("\r\n", "\n").replace("\r", "\n")
    found = around.matches(pattern, content)
    if found:
        return Outcome.MATCHES
    in_plain = around.matches(pattern, plain) if plain != content else found
    if in_plain:
        return Outcome.MATCHES_WITH_LF
    if found is None or in_plain is None:
        return Outcome.UNKNOWN
    if not is_plain(pattern) and pattern in plain:
        return Outcome.LITERAL
    other_case = around.matches(pattern, plain, re.MULTILINE | re.IGNORECASE)
    if other_case is None:
        return Outcome.UNKNOWN
    return Outcome.OTHER_CASE if other_case else Outcome.NONE


def spans(view: PatternView, around: Surroundings) -> Spans | None:
    """Where the pattern matches in the file's content; None where that is not known."""
    if view.content is None or not view.pattern or regex_fault(view.pattern):
        return None
    return around.matches(view.pattern, view.content)


@lru_cache(maxsize=1024)
def nearest_line(pattern: str, content: str) -> tuple[int, str] | None:
    """Number (from 1) and text of the line that is most like what the pattern says; None where none is like it."""
    wanted = literal_part(pattern).strip()
    words = set(re.findall(r"\w+", wanted))
    if not words:
        return None
    lines = content.splitlines()[:_MOST_LINES]
    common = [(len(words & set(re.findall(r"\w+", line))), -i) for i, line in enumerate(lines)]
    best: tuple[float, int] | None = None
    for shared, negative in sorted(common, reverse=True)[:20]:
        ratio = SequenceMatcher(None, wanted, lines[-negative].strip()).ratio() if shared else 0.0
        if ratio >= _SIMILAR and (best is None or ratio > best[0]):
            best = (ratio, -negative)
    return (best[1] + 1, lines[best[1]].strip()) if best else None

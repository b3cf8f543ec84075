"""Pattern matches under a time limit, in this process. What costs too much is not known."""

from __future__ import annotations

import re
from functools import lru_cache

from agentbench_lsp.language.surroundings import MOST_MATCHES, Spans
from agentbench_lsp.runner import regex

SECONDS = 1.0  # for one pattern in one text


@lru_cache(maxsize=4096)
def find_matches(pattern: str, text: str, flags: int) -> Spans | None:
    """Spans of the first matches; None for a pattern that does not compile, or takes longer than it may."""
    try:
        return tuple(regex.find_all(pattern, text, flags, SECONDS, MOST_MATCHES))
    except (regex.RegexTimeoutError, re.error, OverflowError, RecursionError):
        return None

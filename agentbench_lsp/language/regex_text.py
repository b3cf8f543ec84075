"""Between literal text and the regex that matches it."""

from __future__ import annotations

import re
from functools import lru_cache

_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_CLASSES = {"d": "0", "w": "x", "s": " ", "b": "", "B": "", "A": "", "Z": "", "n": "\n", "t": "\t", "r": "\r"}
_PIECE = re.compile(r"\\(.)|\[(?:\\.|[^\]\\])*\]|\(\?[a-zA-Z]*[:)]?|[.^$*+?{}|()]|([^\\\[.^$*+?{}|()]+)", re.DOTALL)


def escape_regex(text: str) -> str:
    """The regex that matches exactly `text`. Only what has to be is escaped, so that it stays readable."""
    return _SPECIAL.sub(r"\\\g<0>", text)


@lru_cache(maxsize=4096)
def is_plain(pattern: str) -> bool:
    """True for a regex that matches itself: it has no special character."""
    return not _SPECIAL.search(pattern)


@lru_cache(maxsize=4096)
def literal_part(pattern: str) -> str:
    """What a regex says literally, for finding the line it was most likely written for."""
    out = []
    for match in _PIECE.finditer(pattern):
        if match[1]:
            out.append(_CLASSES.get(match[1], match[1]))
        elif match[2]:
            out.append(match[2])
    return "".join(out)


def with_ignore_case(pattern: str) -> str:
    """The regex with the flag `i`."""
    flags = re.match(r"\(\?([aiLmsux]+)\)", pattern)
    return f"(?i{flags[1]}){pattern[flags.end() :]}" if flags else f"(?i){pattern}"

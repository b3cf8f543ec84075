"""What an edit did to a text, in a few lines."""

from __future__ import annotations

import difflib

_MOST_COMPARED = 400  # lines; difflib takes the square of their number
_CLOSE = 0.4  # of 1: how alike two lines are that are taken for one


def decoded(content: bytes) -> str:
    """Text of a file, whatever its bytes."""
    return content.decode("utf-8", "replace")


def short_diff(before: str, after: str, most: int = 12) -> list[str]:
    """A unified diff without its file header, cut after `most` lines. Empty for equal texts."""
    old, new = before.splitlines(), after.splitlines()
    if old == new:
        return [] if before == after else ["only line ends differ"]
    lines = whole_diff(old, new)
    if len(lines) > most:
        left = len(lines) - most
        lines = [*lines[:most], f"… {left} more {'line' if left == 1 else 'lines'}"]
    return lines


def whole_diff(old: list[str], new: list[str], context: int = 1) -> list[str]:
    """A unified diff of lines. Long stretches that differ are not compared line by line: removed, then added."""
    head, tail = common_ends(old, new)
    first = max(head - context, 0)
    a, b = old[first : len(old) - max(tail - context, 0)], new[first : len(new) - max(tail - context, 0)]
    if max(len(a), len(b)) > _MOST_COMPARED:
        return [
            f"@@ -{first + 1},{len(a)} +{first + 1},{len(b)} @@",
            *(f"-{line}" for line in a),
            *(f"+{line}" for line in b),
        ]
    found = list(difflib.unified_diff(a, b, n=context, lineterm=""))[2:]
    return [_moved(line, first) if line.startswith("@@") else line for line in found]


def _moved(header: str, by: int) -> str:
    """A hunk's header with its line numbers `by` lines further down."""
    words = header.split(" ")
    for i in (1, 2):
        start, comma, count = words[i][1:].partition(",")
        words[i] = f"{words[i][0]}{int(start) + by}{comma}{count}"
    return " ".join(words)


def common_ends(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines two texts have in common at their start, and at their end."""
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return head, tail


def became(before: str, after: str, first: int, last: int) -> list[str] | None:
    """What lines `first` to `last` (from 0, the last one too) of a text were made into; None where they are gone."""
    old, new = before.splitlines(), after.splitlines()
    head, tail = common_ends(old, new)
    if last < head:
        return new[first : last + 1]
    if first >= len(old) - tail:
        return new[first - len(old) + len(new) : last + 1 - len(old) + len(new)]
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(a) > _MOST_COMPARED or len(b) > _MOST_COMPARED:
        candidates = b[:_MOST_COMPARED]
    else:
        candidates = _opposite(a, b, first - head, last - head)
    wanted = old[first : last + 1]
    if len(candidates) <= len(wanted):
        return candidates or None
    close = [max(candidates, key=lambda line: _likeness(line, each)) for each in wanted]
    return [line for line, each in zip(close, wanted, strict=True) if _likeness(line, each) >= _CLOSE] or None


def _opposite(a: list[str], b: list[str], first: int, last: int) -> list[str]:
    """The lines of `b` that stand where lines `first` to `last` of `a` stood."""
    found: list[str] = []
    for tag, a1, a2, b1, b2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if a2 <= first or a1 > last:
            continue
        if tag == "equal":
            found += b[b1 + max(first - a1, 0) : b1 + min(last + 1, a2) - a1]
        else:
            found += b[b1:b2]
    return found


def _likeness(a: str, b: str) -> float:
    return difflib.SequenceMatcher(None, a.strip(), b.strip(), autojunk=False).ratio()

"""Escape the selected part of a pattern, so that it matches literally; without a selection, all of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from agentbench_lsp.language.finding import Edit
from agentbench_lsp.language.refactoring import Refactoring
from agentbench_lsp.language.regex_text import escape_regex
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax import json_string


def offer(view: DocumentView, start: int, end: int) -> Iterator[Refactoring]:
    """On a pattern."""
    if not isinstance(view, TaskDocument):
        return
    for pattern in view.patterns:
        begin, last = pattern.node.inner
        if not (begin <= start and end <= last):
            continue
        offsets = [begin + at for at in json_string.offset_map(pattern.node.source[begin:last])]
        first, after = (0, len(offsets) - 1) if start == end else _covered(offsets, start, end)
        text = pattern.pattern[first:after]
        escaped = escape_regex(text)
        if escaped != text:
            edit = Edit(offsets[first], offsets[after], json_string.encode(escaped))
            what = "the pattern" if start == end else "the selection"
            yield Refactoring(f"Escape {what} as regex", "refactor.rewrite", (edit,))


def _covered(offsets: list[int], start: int, end: int) -> tuple[int, int]:
    """Indexes of the value's characters that a selection touches."""
    return bisect_right(offsets, start) - 1, min(bisect_left(offsets, end), len(offsets) - 1)

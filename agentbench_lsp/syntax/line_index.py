"""Offsets to lines and back. A line ends with LF, CRLF or CR and with nothing else, as in LSP."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """Both count from 0; `column` counts code points."""

    line: int
    column: int


class LineIndex:
    """Line starts of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        ends = [m.end() for m in _LINE_END.finditer(text)] if "\r" in text else _ends_of_lf_lines(text)
        self.starts = [0, *ends]

    def position(self, offset: int) -> Position:
        """Position of an offset, which is first brought into the text."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return Position(line, offset - self.starts[line])

    def line(self, number: int) -> str:
        """Text of a line without its line end."""
        return self.text[self.starts[number] : self.line_end(number)]

    def line_end(self, number: int) -> int:
        """Offset of a line's end, before its line end characters."""
        if number + 1 >= len(self.starts):
            return len(self.text)
        end = self.starts[number + 1] - 1
        if end > self.starts[number] and self.text[end] == "\n" and self.text[end - 1] == "\r":
            end -= 1
        return end

    def offset(self, line: int, column: int) -> int:
        """Offset of a position; a column behind the line's end is its end, a line behind the text the text's end."""
        if line >= len(self.starts):
            return len(self.text)
        return min(self.starts[line] + max(0, column), self.line_end(line))


def line_start(text: str, offset: int) -> int:
    """Offset of the start of an offset's line, for the few that need no index."""
    start = text.rfind("\n", 0, offset) + 1
    return max(start, text.rfind("\r", start, offset) + 1)


def _ends_of_lf_lines(text: str) -> list[int]:
    ends = []
    position = text.find("\n") + 1
    while position:
        ends.append(position)
        position = text.find("\n", position) + 1
    return ends

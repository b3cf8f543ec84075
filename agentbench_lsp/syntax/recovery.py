"""What indentation says about broken JSON: which container a key or a closer was written for."""

from __future__ import annotations


class Layout:
    """Indentation of a text's lines. Offsets are indexes of the text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _line_start(self, offset: int) -> int:
        start = self._text.rfind("\n", 0, offset) + 1
        return max(start, self._text.rfind("\r", start, offset) + 1)

    def indent(self, offset: int) -> int:
        """Width of the blanks that begin the line of an offset."""
        start = self._line_start(offset)
        line = self._text[start : start + 200]
        return len(line) - len(line.lstrip(" \t"))

    def is_first_on_line(self, offset: int) -> bool:
        return self._line_start(offset) + self.indent(offset) == offset

    def same_line(self, a: int, b: int) -> bool:
        return self._line_start(a) == self._line_start(b)

    def is_aligned(self, closer: int, opener: int) -> bool:
        """True where a closer begins its line at the indentation of the line that holds the opener."""
        return self.is_first_on_line(closer) and self.indent(closer) == self.indent(opener)

    def is_deeper(self, key: int, outer: int) -> bool:
        """True where a key begins its line and is indented more than the line of `outer`."""
        return self.is_first_on_line(key) and self.indent(key) > self.indent(outer)

    def is_outside(self, key: int, opener: int, first_child: int | None) -> bool:
        """True where a key that begins its line belongs further out than the container opened at `opener`.

        It is indented like the opener's line, or less, while the container's first child is indented more.
        """
        if not self.is_first_on_line(key) or self.same_line(key, opener):
            return False
        width = self.indent(key)
        if width > self.indent(opener):
            return False
        return first_child is None or self.indent(first_child) > width or self.same_line(first_child, opener)

"""Guesses about broken JSON: which container a key or a closer was written for, judged by indentation first."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from agentbench_lsp.syntax.line_index import LineIndex
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode
from agentbench_lsp.syntax.tokens import Token

Expects = Literal["key", "colon", "value", "comma", "item"]


class Frame:
    """An open container and what is expected in it: key, colon, value, comma (objects); item, comma (arrays)."""

    __slots__ = ("before_comma", "expects", "is_object", "last_comma", "node", "opener")

    def __init__(self, node: ObjectNode | ArrayNode, opener: Token, expects: Expects) -> None:
        self.node = node
        self.is_object = isinstance(node, ObjectNode)
        self.opener = opener
        self.expects: Expects = expects
        self.last_comma: Token | None = None
        self.before_comma = opener.end  # end of the token before the last comma

    @property
    def last_child(self) -> Node | None:
        """The last value."""
        if isinstance(self.node, ObjectNode):
            return self.node.properties[-1].value if self.node.properties else None
        return self.node.items[-1] if self.node.items else None

    @property
    def holds_words(self) -> bool:
        """True for a list of texts and other plain values."""
        if not isinstance(self.node, ArrayNode):
            return False
        return bool(self.node.items) and not any(isinstance(n, ObjectNode | ArrayNode) for n in self.node.items)

    @property
    def dangling_comma(self) -> Token | None:
        """The comma that nothing stands behind yet."""
        return self.last_comma if self.expects in ("key", "item") else None

    @property
    def first_child(self) -> int | None:
        """Offset of the first child."""
        children = self.node.properties if isinstance(self.node, ObjectNode) else self.node.items
        return children[0].start if children else None


class Layout:
    """Indentation of a text's lines. Offsets are indexes of the text."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _lines(self) -> LineIndex:
        return LineIndex(self._text)  # made when asked for: valid documents need none

    def _line_start(self, offset: int) -> int:
        return self._lines.starts[self._lines.position(offset).line]

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


def closing_depth(stack: list[Frame], token: Token, layout: Layout, next_kind: str, before_key: bool) -> int | None:
    """How many open containers a closer ends before its own, because theirs is missing; None for a stray one.

    `next_kind` is the kind of the token behind the closer; `before_key` says that a key with its colon follows.
    """
    wants_object = token.kind == "}"
    if stack[-1].expects == "colon" and next_kind == ":":
        return None  # in the middle of a property
    if stack[-1].expects == "value" and next_kind not in ("end", ",", "}", "]"):
        return None
    matching = [depth for depth, frame in enumerate(reversed(stack)) if frame.is_object == wants_object]
    if not matching:
        return None
    aligned = [depth for depth in matching if layout.is_aligned(token.start, stack[-1 - depth].opener.start)]
    if matching[0] == 0:
        # Well indented, it may belong to a container further out whose inner ones were not closed.
        further_out = bool(aligned) and not layout.same_line(token.start, stack[-1].opener.start)
        return aligned[0] if further_out else 0
    if aligned:
        return aligned[0]
    if before_key:
        return None  # the object goes on
    if (
        wants_object
        and matching[0] == 1
        and stack[-1].holds_words
        and layout.same_line(token.start, stack[-2].opener.start)
    ):
        return 1  # a list of words on the object's own line, not closed
    if any(layout.is_aligned(token.start, frame.opener.start) for frame in stack):
        return None  # it stands where the closer of a container of the other kind belongs
    return matching[0] if not wants_object or next_kind in ("end", "]", "}") else None

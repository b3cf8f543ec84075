"""Formatting: only blanks between tokens change. Key order, strings and numbers stay as they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import line_break
from agentbench_lsp.language.finding import Edit
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode, PropertyNode

WIDTH = 100  # columns a container may take to stay on one line
_ALWAYS_OPEN = ("workspace", "oracles", "steps")


def format_edits(document: Document, indent: str, start: int = 0, end: int | None = None) -> list[Edit]:
    """Edits that format a document, or what lies between two offsets; none for one with syntax errors.

    A container stays on one line where its author wrote it on one, it is short, and it is no list of ours that grows.
    """
    if document.parsed.faults or document.root is None:
        return []
    last = len(document.text) if end is None else end
    layout = _Layout(document, indent, line_break(document))
    try:
        gaps = [(0, document.root.start, ""), *layout.node(document.root, 0, is_open=True)]
    except RecursionError:
        return []  # nested deeper than anything of ours
    if end is None:
        gaps.append((document.root.end, len(document.text), layout.newline))
    return [Edit(a, b, text) for a, b, text in gaps if a >= start and b <= last and document.text[a:b] != text]


Gap = tuple[int, int, str]


@dataclass(frozen=True)
class _Layout:
    document: Document
    indent: str
    newline: str

    def node(self, node: Node, depth: int, is_open: bool = False, width: int = 0) -> Iterator[Gap]:
        """The blanks inside a value. `width`: columns before it on its line."""
        if not isinstance(node, ObjectNode | ArrayNode):
            return
        children: list[Node | PropertyNode] = list(node.properties if isinstance(node, ObjectNode) else node.items)
        if not children:
            yield node.start + 1, node.end - 1, ""
            return
        opened = is_open or not self._fits(node, width)
        pad = " " if isinstance(node, ObjectNode) else ""
        inner = self.newline + self.indent * (depth + 1) if opened else pad
        at = node.start + 1
        for i, child in enumerate(children):
            if i:
                comma = self.document.text.index(",", at)
                yield at, comma, ""
                at = comma + 1
            yield at, child.start, inner if opened or not i else " "
            yield from self._child(child, depth + 1, opened)
            at = child.end
        yield at, node.end - 1, self.newline + self.indent * depth if opened else pad

    def _child(self, child: Node | PropertyNode, depth: int, opened: bool) -> Iterator[Gap]:
        if not isinstance(child, PropertyNode):
            yield from self.node(child, depth, width=len(self.indent) * depth)
            return
        if child.colon is None or child.value is None:
            return
        yield child.key.end, child.colon, ""
        yield child.colon + 1, child.value.start, " "
        grows = opened and child.key.value in _ALWAYS_OPEN and depth == 1
        before = len(self.indent) * depth + child.key.end - child.key.start + 2
        yield from self.node(child.value, depth, grows, before)

    def _fits(self, node: ObjectNode | ArrayNode, width: int) -> bool:
        text = self.document.text[node.start : node.end]
        return "\n" not in text and "\r" not in text and width + _length(node) <= WIDTH


def _length(node: Node | PropertyNode) -> int:
    """Characters that a value takes on one line, once it is formatted."""
    if isinstance(node, PropertyNode):
        value = 0 if node.value is None else _length(node.value)
        return node.key.end - node.key.start + 2 + value
    if isinstance(node, ObjectNode):
        return 2 + (2 + sum(_length(p) + 2 for p in node.properties) - 2 if node.properties else 0)
    if isinstance(node, ArrayNode):
        return 2 + (sum(_length(item) + 2 for item in node.items) - 2 if node.items else 0)
    return node.end - node.start

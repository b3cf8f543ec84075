"""Regions that can be folded, and what a selection grows to."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.place import place_at
from agentbench_lsp.syntax.nodes import ArrayNode, ObjectNode, walk


def folds(document: Document) -> Iterator[tuple[int, int]]:
    """First and last line of every container that spans several; the line of its closing bracket stays visible."""
    for node in walk(document.root):
        if isinstance(node, ObjectNode | ArrayNode):
            first = document.lines.position(node.start).line
            last = document.lines.position(node.end).line - node.closed
            if last > first:
                yield first, last


def selections(document: Document, offset: int) -> list[tuple[int, int]]:
    """Ranges around an offset, each inside the next: the text between quotes, the value, the property, its object."""
    place = place_at(document, offset)
    ranges: list[tuple[int, int]] = []
    text = place.text
    if text is not None:
        ranges += [text.inner, (text.start, text.end)]
    elif place.node is not None and not isinstance(place.node, ObjectNode | ArrayNode):
        ranges.append((place.node.start, place.node.end))
    if place.prop is not None:
        ranges.append((place.prop.start, place.prop.end))
    for i, container in enumerate(reversed(place.around)):
        ranges.append((container.start, container.end))
        outer = place.around[-i - 2] if i + 2 <= len(place.around) else None
        if isinstance(outer, ObjectNode):
            owner = next((p for p in outer.properties if p.value is container), None)
            if owner is not None:
                ranges.append((owner.start, owner.end))
    ranges.append((0, len(document.text)))
    growing: list[tuple[int, int]] = []
    for start, end in ranges:
        around = start <= offset <= end
        if growing:
            around &= start <= growing[-1][0] and end >= growing[-1][1] and (start, end) != growing[-1]
        if around:
            growing.append((start, end))
    return growing

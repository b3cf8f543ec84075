"""What stands at an offset of a document: the value or key, and the way to it."""

from __future__ import annotations

from dataclasses import dataclass

from agentbench_lsp.language.document import Document
from agentbench_lsp.models.json_text import JsonPath
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode, PropertyNode, StringNode


@dataclass(frozen=True)
class Place:
    """`path` leads to the value (of the property, on a key). `around` are the containers, the document first."""

    path: JsonPath
    node: Node | None
    prop: PropertyNode | None
    on_key: bool
    around: tuple[ObjectNode | ArrayNode, ...]

    @property
    def text(self) -> StringNode | None:
        """The text at the offset: the key, or the value."""
        if self.on_key:
            return self.prop.key if self.prop else None
        return self.node if isinstance(self.node, StringNode) else None


def place_at(document: Document, offset: int) -> Place:
    """The innermost key or value that touches an offset."""
    node: Node | None = document.root
    path: JsonPath = ()
    prop: PropertyNode | None = None
    around: tuple[ObjectNode | ArrayNode, ...] = ()
    while isinstance(node, ObjectNode | ArrayNode):
        around = (*around, node)
        if isinstance(node, ObjectNode):
            inner = next((p for p in node.properties if p.start <= offset <= p.end), None)
            if inner is None:
                return Place(path, node, prop, False, around)
            path, prop = (*path, inner.key.value), inner
            if offset <= inner.key.end or inner.value is None or offset < inner.value.start:
                return Place(path, inner.value, inner, offset <= inner.key.end, around)
            node = inner.value
        else:
            index = next((i for i, item in enumerate(node.items) if item.start <= offset <= item.end), None)
            if index is None:
                return Place(path, node, prop, False, around)
            path, prop, node = (*path, index), None, node.items[index]
    return Place(path, node, prop, False, around)

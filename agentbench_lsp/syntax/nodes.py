"""The syntax tree. `start` and `end` are offsets in the text, `end` exclusive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agentbench_lsp.syntax import json_string

_DEEPEST = 200


@dataclass(slots=True, eq=False)
class StringNode:
    """A string, quotes included in its range. `closed` is False where the closing quote is missing."""

    start: int
    end: int
    source: str  # the whole text
    opened: bool = True
    closed: bool = True
    _value: str | None = None

    @property
    def inner(self) -> tuple[int, int]:
        """Range of what stands between the quotes."""
        return self.start + self.opened, self.end - self.closed

    @property
    def value(self) -> str:
        if self._value is None:
            start, end = self.inner
            self._value = json_string.decode(self.source[start:end])
        return self._value

    def offset_of(self, index: int) -> int:
        """Offset in the text of the character at `index` of the value."""
        start, end = self.inner
        return start + json_string.raw_offset(self.source[start:end], index)


@dataclass(slots=True, eq=False)
class LiteralNode:
    """A number, `true`, `false`, `null`; or a word that is none of them (`valid` is False, the value its text)."""

    start: int
    end: int
    value: Any
    valid: bool = True


@dataclass(slots=True, eq=False)
class PropertyNode:
    """`key: value`. `value` is None where it is missing, `colon` where that is."""

    key: StringNode
    colon: int | None = None
    value: Node | None = None

    @property
    def start(self) -> int:
        return self.key.start

    @property
    def end(self) -> int:
        if self.value is not None:
            return self.value.end
        return self.key.end if self.colon is None else self.colon + 1


@dataclass(slots=True, eq=False)
class ObjectNode:
    """An object. `closed` is False where its closing brace is missing."""

    start: int
    end: int
    properties: list[PropertyNode] = field(default_factory=list)
    closed: bool = True

    def get(self, name: str) -> PropertyNode | None:
        """The last property of this name, which is the one that JSON readers see."""
        for prop in reversed(self.properties):
            if prop.key.value == name:
                return prop
        return None

    def value_of(self, name: str) -> Node | None:
        found = self.get(name)
        return found.value if found else None


@dataclass(slots=True, eq=False)
class ArrayNode:
    """An array. `closed` is False where its closing bracket is missing."""

    start: int
    end: int
    items: list[Node] = field(default_factory=list)
    closed: bool = True


Node = StringNode | LiteralNode | ObjectNode | ArrayNode


def walk(root: Node | None) -> Iterator[Node]:
    """Every node that is a value, in document order."""
    todo: list[Node] = [] if root is None else [root]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ObjectNode):
            todo += [p.value for p in reversed(node.properties) if p.value is not None]
        elif isinstance(node, ArrayNode):
            todo += reversed(node.items)


def json_type(node: Node | None) -> str:
    """`object`, `array`, `string`, `number`, `boolean`, `null`; `missing` for no value, `unknown` for a bad word."""
    if node is None:
        return "missing"
    if isinstance(node, ObjectNode):
        return "object"
    if isinstance(node, ArrayNode):
        return "array"
    if isinstance(node, StringNode):
        return "string"
    if not node.valid:
        return "unknown"
    if node.value is None:
        return "null"
    return "boolean" if isinstance(node.value, bool) else "number"


def to_value(node: Node | None, depth: int = _DEEPEST) -> Any:
    """The plain value of a subtree; properties and items without a value are left out.

    What is nested deeper than anything of ours can be is None: it must not exhaust the stack.
    """
    if depth == 0:
        return None
    if isinstance(node, ObjectNode):
        return {p.key.value: to_value(p.value, depth - 1) for p in node.properties if p.value is not None}
    if isinstance(node, ArrayNode):
        return [to_value(item, depth - 1) for item in node.items]
    return None if node is None else node.value

"""A snapshot of a document: its text, its tree, its kind. Everything else of this package works on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from agentbench_lsp.dsl.document_kind import kind_by_content, kind_by_name
from agentbench_lsp.dsl.schema import DocumentKind
from agentbench_lsp.models.json_text import JsonPath
from agentbench_lsp.syntax.json_parser import ParsedText, parse
from agentbench_lsp.syntax.line_index import LineIndex
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode, PropertyNode, json_type


@dataclass(frozen=True)
class Document:
    """`path` has forward slashes; only its last parts are looked at."""

    text: str
    path: str = ""

    @cached_property
    def parsed(self) -> ParsedText:
        return parse(self.text)

    @cached_property
    def lines(self) -> LineIndex:
        return LineIndex(self.text)

    @property
    def root(self) -> Node | None:
        return self.parsed.root

    @cached_property
    def kind(self) -> DocumentKind | None:
        """None: not ours, say nothing about it. Content decides where it can, then the name."""
        by_content = None
        if isinstance(self.root, ObjectNode):
            by_content = kind_by_content({p.key.value: json_type(p.value) for p in self.root.properties})
        return by_content or kind_by_name(self.path)

    def find(self, location: JsonPath) -> tuple[PropertyNode | None, Node | None]:
        """The property (where the last step is a key) and the value at a path; None for what is not there."""
        node, owner = self.root, None
        for part in location:
            owner = None
            if isinstance(node, ObjectNode) and isinstance(part, str):
                owner = node.get(part)
                node = owner.value if owner else None
            elif isinstance(node, ArrayNode) and isinstance(part, int) and part < len(node.items):
                node = node.items[part]
            else:
                return None, None
        return owner, node

"""A snapshot of a document: its text, its tree, its kind. Everything else of this package works on it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from agentbench_lsp.dsl.document_kind import kind_by_content, kind_by_name
from agentbench_lsp.dsl.schema import TASK_FIELDS, Kind
from agentbench_lsp.models.json_text import JsonPath
from agentbench_lsp.syntax.json_parser import ParsedText, parse
from agentbench_lsp.syntax.line_index import LineIndex
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode, PropertyNode, json_type

_CONTAINERS: dict[Kind, dict[str, type[ObjectNode | ArrayNode]]] = {
    "task": {"workspace": ObjectNode, "oracles": ArrayNode},
    "trajectory": {"steps": ArrayNode},
    "manifest": {"task_files": ArrayNode},
}
_HEAD = 1 << 18  # characters by which a session is known
_OBJECTS = frozenset({"workspace", "metadata", "args"})
_ALL_FIELDS = frozenset([*TASK_FIELDS, "metadata", "steps", "task_files", "task_subset", "trajectory", "recorded_for"])


@dataclass(frozen=True)
class Document:
    """`path` has forward slashes; only its last parts are looked at."""

    text: str
    path: str = ""

    @cached_property
    def parsed(self) -> ParsedText:
        return parse(self.text, _OBJECTS)

    @cached_property
    def lines(self) -> LineIndex:
        return LineIndex(self.text)

    @property
    def root(self) -> Node | None:
        return self.parsed.root

    @cached_property
    def kind(self) -> Kind | None:
        """None: not ours, say nothing about it. Content decides where it can, then the name."""
        if self.is_lines and self._is_session:
            return "session"
        by_content = None
        if isinstance(self.root, ObjectNode):
            by_content = kind_by_content({p.key.value: json_type(p.value) for p in self.root.properties})
        if by_content is None and not self.is_lines and self._is_session:
            return "session"
        return by_content or kind_by_name(self.path)

    @property
    def is_lines(self) -> bool:
        """True for a text that is not one JSON document: its tree would say nothing."""
        return not self.path.endswith((".json", ".jsonc")) and self.path.rpartition("/")[2] != ""

    @cached_property
    def _is_session(self) -> bool:
        from agentbench_lsp.importers.core.importing import is_session  # most documents are none
        from agentbench_lsp.importers.core.source import Source

        return is_session(Source(Path(self.path), self.text[:_HEAD]))

    def field(self, name: str) -> PropertyNode | None:
        """The property of a field. For one that holds a container and is missing, the one that has nearly its name."""
        if not isinstance(self.root, ObjectNode):
            return None
        return self.root.get(name) or self.meant.get(name)

    @cached_property
    def meant(self) -> dict[str, PropertyNode]:
        """Containers whose key is not known, and is nearly that of a field that is missing, by that field's name.

        While a key is being typed, what stands below it keeps its meaning.
        """
        if not isinstance(self.root, ObjectNode) or self.kind is None:
            return {}
        found: dict[str, PropertyNode] = {}
        present = {p.key.value for p in self.root.properties}
        for name, container in _CONTAINERS.get(self.kind, {}).items():
            if name in present:
                continue
            for prop in self.root.properties:
                near = isinstance(prop.value, container) and prop.key.value not in _ALL_FIELDS
                if near and get_close_matches(prop.key.value, [name], n=1, cutoff=0.6):
                    found[name] = prop
        return found

    def find(self, location: JsonPath) -> tuple[PropertyNode | None, Node | None]:
        """The property (where the last step is a key) and the value at a path; None for what is not there."""
        node, owner = self.root, None
        for part in location:
            owner = None
            if isinstance(node, ObjectNode) and isinstance(part, str):
                owner = self.field(part) if node is self.root else node.get(part)
                node = owner.value if owner else None
            elif isinstance(node, ArrayNode) and isinstance(part, int) and part < len(node.items):
                node = node.items[part]
            else:
                return None, None
        return owner, node

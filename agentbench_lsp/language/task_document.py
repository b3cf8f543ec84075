"""A task document as its author sees it: workspace files, oracles, params, each with its nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.dsl.structure import manifest_errors, trajectory_errors
from agentbench_lsp.dsl.validator import task_document_errors
from agentbench_lsp.language.document import Document
from agentbench_lsp.models.paths import fold
from agentbench_lsp.oracles.base import OracleSpec, Param, ParamKind
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode, PropertyNode, StringNode, to_value


@dataclass(frozen=True)
class ParamView:
    """A declared param that an oracle sets to a text."""

    oracle: OracleView
    param: Param
    node: StringNode


@dataclass(frozen=True)
class OracleView:
    """An object of `oracles`. `spec` is None where its type is missing or unknown."""

    index: int
    node: ObjectNode
    spec: OracleSpec | None

    @property
    def type_node(self) -> Node | None:
        return self.node.value_of("type")

    def texts(self, kind: ParamKind) -> Iterator[ParamView]:
        """The params of a kind whose value is a text."""
        for param in self.spec.params or () if self.spec else ():
            value = self.node.value_of(param.name)
            if param.kind == kind and isinstance(value, StringNode):
                yield ParamView(self, param, value)


@dataclass(frozen=True)
class TaskDocument:
    """Typed views over the tree of a task. `specs` are the oracle types that may be named."""

    document: Document
    specs: Mapping[str, OracleSpec]

    @cached_property
    def files(self) -> list[PropertyNode]:
        """Properties of `workspace`."""
        root = self.document.root
        workspace = root.value_of("workspace") if isinstance(root, ObjectNode) else None
        return workspace.properties if isinstance(workspace, ObjectNode) else []

    @cached_property
    def folded_files(self) -> dict[str, PropertyNode]:
        """The same, by normalised path."""
        return {fold(p.key.value): p for p in self.files}

    @cached_property
    def oracles(self) -> list[OracleView]:
        root = self.document.root
        oracles = root.value_of("oracles") if isinstance(root, ObjectNode) else None
        items = oracles.items if isinstance(oracles, ArrayNode) else []
        return [self._oracle(i, item) for i, item in enumerate(items) if isinstance(item, ObjectNode)]

    def _oracle(self, index: int, node: ObjectNode) -> OracleView:
        name = node.value_of("type")
        spec = self.specs.get(name.value) if isinstance(name, StringNode) else None
        return OracleView(index, node, spec)

    @cached_property
    def errors(self) -> list[DocumentError]:
        """What validation says of the document, whatever its kind, except for what is not written yet."""
        if self.document.kind == "trajectory":
            return trajectory_errors(to_value(self.document.root))
        if self.document.kind == "manifest":
            return manifest_errors(to_value(self.document.root))
        return task_document_errors(self.value, self.specs)

    @cached_property
    def value(self) -> Any:
        """The plain value; file contents are left out unless something of theirs can be wrong."""
        root = self.document.root
        if not isinstance(root, ObjectNode):
            return to_value(root)
        value = {p.key.value: to_value(p.value) for p in root.properties if p.key.value != "workspace"}
        workspace = root.get("workspace")
        if workspace is not None and isinstance(workspace.value, ObjectNode):
            files = workspace.value.properties
            value["workspace"] = {p.key.value: _content(p.value) for p in files if p.value is not None}
        elif workspace is not None and workspace.value is not None:
            value["workspace"] = to_value(workspace.value)
        return value


def _content(node: Node | None) -> Any:
    if isinstance(node, StringNode) and node.source.find("\\u", node.start, node.end) < 0:
        return ""
    return to_value(node)

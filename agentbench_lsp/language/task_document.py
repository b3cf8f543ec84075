"""A task document as its author sees it: workspace files, oracles, params, each with its nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.dsl.validator import task_document_errors
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.models.paths import fold
from agentbench_lsp.oracles.base import OracleSpec, Param, ParamKind, is_command
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

    @cached_property
    def type_node(self) -> Node | None:
        return self.node.value_of("type")

    def texts(self, kind: ParamKind) -> list[ParamView]:
        """The params of a kind whose value is a text."""
        return self._texts.get(kind, [])

    @cached_property
    def _texts(self) -> dict[ParamKind, list[ParamView]]:
        found: dict[ParamKind, list[ParamView]] = {}
        for param in self.spec.params or () if self.spec else ():
            value = self.node.value_of(param.name)
            if isinstance(value, StringNode):
                found.setdefault(param.kind, []).append(ParamView(self, param, value))
        return found


@dataclass(frozen=True)
class PatternView:
    """A regex param, and the workspace file its oracle names, where it is there (`file`, its `content`)."""

    param: ParamView
    file: PropertyNode | None
    content: str | None
    known: dict[str, Any] = field(default_factory=dict, compare=False)  # what has been found out about it

    @property
    def node(self) -> StringNode:
        return self.param.node

    @property
    def pattern(self) -> str:
        return self.param.node.value


@dataclass(frozen=True)
class TaskDocument(DocumentView):
    """Typed views over the tree of a task."""

    @cached_property
    def workspace_digest(self) -> bytes:
        """What tells one workspace from another."""
        import hashlib  # costs 3 ms of every start, and few need it

        digest = hashlib.sha256()
        for file in self.files:
            content = file.value.value if isinstance(file.value, StringNode) else json.dumps(to_value(file.value))
            digest.update(f"{len(file.key.value)}:{file.key.value}{len(content)}:".encode("utf-8", "surrogatepass"))
            digest.update(content.encode("utf-8", "surrogatepass"))
        return digest.digest()

    @cached_property
    def oracle_keys(self) -> list[str]:
        """A key for each oracle: of all in the task that its verdict depends on.

        That is the oracle, the workspace, and for a command the commands before it, which run in the same folder.
        """
        import hashlib

        keys, commands = [], hashlib.sha256(self.workspace_digest)
        for oracle in self.oracles:
            runs = isinstance(oracle.type_node, StringNode) and is_command(oracle.type_node.value)
            own = commands.copy() if runs else hashlib.sha256(self.workspace_digest)
            own.update(json.dumps(to_value(oracle.node), sort_keys=True).encode("utf-8", "surrogatepass"))
            if runs:
                commands = own
            keys.append(own.hexdigest())
        return keys

    @cached_property
    def files(self) -> list[PropertyNode]:
        """Properties of `workspace`."""
        workspace = self.field("workspace")
        return workspace.properties if isinstance(workspace, ObjectNode) else []

    @cached_property
    def folded_files(self) -> dict[str, PropertyNode]:
        """The same, by normalised path."""
        return {fold(p.key.value): p for p in self.files}

    @cached_property
    def oracles(self) -> list[OracleView]:
        oracles = self.field("oracles")
        items = oracles.items if isinstance(oracles, ArrayNode) else [oracles]  # or its brackets are missing
        return [self._oracle(i, item) for i, item in enumerate(items) if isinstance(item, ObjectNode)]

    def _oracle(self, index: int, node: ObjectNode) -> OracleView:
        name = node.value_of("type")
        spec = self.specs.get(name.value) if isinstance(name, StringNode) else None
        return OracleView(index, node, spec)

    def params(self, kind: ParamKind) -> Iterator[ParamView]:
        """The params of a kind, of all oracles."""
        for oracle in self.oracles:
            yield from oracle.texts(kind)

    def target(self, oracle: OracleView) -> PropertyNode | None:
        """The workspace file that an oracle names."""
        paths = (fold(view.node.value) for view in oracle.texts("workspace_path"))
        return next((file for path in paths if (file := self.folded_files.get(path))), None)

    @cached_property
    def patterns(self) -> list[PatternView]:
        """Every regex with the file it is searched in."""
        found = []
        for view in self.params("regex"):
            file = self.target(view.oracle)
            found.append(PatternView(view, file, content_of(file)))
        return found

    @cached_property
    def errors(self) -> list[DocumentError]:
        meant = self.document.meant
        value = {**self.value, **{n: to_value(p.value) for n, p in meant.items()}} if meant else self.value
        missing = [DocumentError((name,), "missing-field", f"the field {name!r} is missing") for name in meant]
        return [*missing, *task_document_errors(value, self.specs)]

    @cached_property
    def value(self) -> Any:
        """The plain value; file contents are left out unless something of theirs can be wrong."""
        root = self.root_object
        if root is None:
            return to_value(self.document.root)
        value = {p.key.value: to_value(p.value) for p in root.properties if p.key.value != "workspace"}
        workspace = root.get("workspace")
        if workspace is not None and isinstance(workspace.value, ObjectNode):
            files = workspace.value.properties
            value["workspace"] = {p.key.value: _content(p.value) for p in files if p.value is not None}
        elif workspace is not None and workspace.value is not None:
            value["workspace"] = to_value(workspace.value)
        return value

    @cached_property
    def contents(self) -> dict[str, str]:
        """Contents of the workspace files, as a task has them."""
        pairs = ((p.key.value, content_of(p)) for p in self.files)
        return {path: content for path, content in pairs if content is not None}


def content_of(file: PropertyNode | None) -> str | None:
    """The content of a workspace file, where it is a text."""
    return file.value.value if file is not None and isinstance(file.value, StringNode) else None


def _content(node: Node | None) -> Any:
    if isinstance(node, StringNode) and node.source.find("\\u", node.start, node.end) < 0:
        return ""
    return to_value(node)

"""The outline of a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from agentbench_lsp.language.manifest_document import ManifestDocument
from agentbench_lsp.language.session_document import SessionDocument
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.language.trajectory_document import StepView, TrajectoryDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import LiteralNode, Node, PropertyNode, StringNode

SymbolKind = Literal["field", "workspace", "file", "oracles", "oracle", "steps", "edit", "command", "step", "task"]
_LONGEST = 80


@dataclass(frozen=True)
class Symbol:
    """`start` and `end` are the whole of it, `name_start` and `name_end` what to select."""

    name: str
    kind: SymbolKind
    start: int
    end: int
    name_start: int
    name_end: int
    detail: str = ""
    children: list[Symbol] = field(default_factory=list)


def symbols(view: DocumentView) -> list[Symbol]:
    """Fields in document order; below them workspace files, oracles, steps, task files."""
    root = view.root_object
    if isinstance(view, SessionDocument):
        return [_step(step) for step in view.steps]
    return [] if root is None else [_field(view, prop) for prop in root.properties]


def _field(view: DocumentView, prop: PropertyNode) -> Symbol:
    meant = {id(p): field for field, p in view.document.meant.items()}
    name = meant.get(id(prop), prop.key.value)
    children: list[Symbol] = []
    kind: SymbolKind = "field"
    if isinstance(view, TaskDocument) and name == "workspace" and prop is _last(view, name):
        kind, children = "workspace", [_file(file) for file in view.files]
    elif isinstance(view, TaskDocument) and name == "oracles" and prop is _last(view, name):
        kind, children = "oracles", [_oracle(oracle) for oracle in view.oracles]
    elif isinstance(view, TrajectoryDocument) and name == "steps" and prop is _last(view, name):
        kind, children = "steps", [_step(step) for step in view.steps]
    elif isinstance(view, ManifestDocument) and name == "task_files":
        children = [Symbol(n.value or "…", "task", n.start, n.end, n.start, n.end) for n in view.entries]
    detail = _short(prop.value)
    return Symbol(prop.key.value or "…", kind, prop.start, prop.end, prop.key.start, prop.key.end, detail, children)


def _last(view: DocumentView, name: str) -> PropertyNode | None:
    return view.document.field(name)


def _short(node: Node | None) -> str:
    if isinstance(node, StringNode):
        return node.value.replace("\n", " ")[:_LONGEST]
    return str(node.value)[:_LONGEST] if isinstance(node, LiteralNode) else ""


def _file(file: PropertyNode) -> Symbol:
    text = file.value.value if isinstance(file.value, StringNode) else ""
    lines = text.count("\n") + (not text.endswith("\n")) if text else 0
    detail = f"{lines} {'line' if lines == 1 else 'lines'}"
    return Symbol(file.key.value or "…", "file", file.start, file.end, file.key.start, file.key.end, detail)


def oracle_target(oracle: OracleView) -> str:
    """What an oracle is about: its path, else its command."""
    for kind in ("workspace_path", "command"):
        for param in oracle.texts(kind):
            return param.node.value.replace("\n", " ")[:_LONGEST]
    return ""


def _oracle(oracle: OracleView) -> Symbol:
    node, type_node = oracle.node, oracle.type_node
    name = type_node.value if isinstance(type_node, StringNode) and type_node.value else "oracle"
    start, end = (type_node.start, type_node.end) if type_node else (node.start, node.start + 1)
    return Symbol(name, "oracle", node.start, node.end, start, end, oracle_target(oracle))


def _step(view: StepView) -> Symbol:
    step = view.step
    kind: SymbolKind = "edit" if step.is_write else "command" if step.is_command else "step"
    name = step.tool or (step.raw.get("type") if isinstance(step.raw.get("type"), str) else None) or "step"
    detail = (step.path if step.is_write else step.command) or step.path or ""
    label = f"{step.index}: {name}"
    return Symbol(label, kind, view.node.start, view.node.end, *view.head, detail.replace("\n", " ")[:_LONGEST])


def flat(found: list[Symbol]) -> Iterator[Symbol]:
    """Symbols and those below them."""
    for symbol in found:
        yield symbol
        yield from flat(symbol.children)

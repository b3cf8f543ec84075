"""Sort the oracles of a task, or write each on one line, or on several."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import line_break, line_indent
from agentbench_lsp.language.finding import Edit
from agentbench_lsp.language.formatting import WIDTH
from agentbench_lsp.language.refactoring import Refactoring
from agentbench_lsp.language.symbols import oracle_target
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ArrayNode, ObjectNode, walk


def offer(view: DocumentView, start: int, end: int) -> Iterator[Refactoring]:
    """In `oracles`, where every item is a whole object."""
    if not isinstance(view, TaskDocument) or view.document.parsed.faults:
        return
    owner = view.document.field("oracles")
    if owner is None or not isinstance(owner.value, ArrayNode) or not owner.start <= start <= owner.end:
        return
    if len(view.oracles) != len(owner.value.items) or not view.oracles:
        return
    text = view.document.text
    if edits := _sorted(view, text):
        yield Refactoring("Sort the oracles by type", "refactor.rewrite", tuple(edits))
    lines = [Edit(o.node.start, o.node.end, _one_line(view.document, o.node)) for o in view.oracles]
    fits = all(len(edit.text) <= WIDTH for edit in lines)
    changed = tuple(e for e in lines if text[e.start : e.end] != e.text)
    if fits and changed:
        yield Refactoring("Write each oracle on one line", "refactor.rewrite", changed)
    several = [Edit(o.node.start, o.node.end, _lines(view.document, o.node)) for o in view.oracles]
    changed = tuple(e for e in several if text[e.start : e.end] != e.text)
    if changed:
        yield Refactoring("Write each param on a line", "refactor.rewrite", changed)


def _sorted(view: TaskDocument, text: str) -> list[Edit]:
    """Each place gets the oracle that belongs there. Commands stay in their order, at the end: they share a folder."""
    types = {name: i for i, name in enumerate(view.specs)}

    def rank(oracle: OracleView) -> tuple[bool, int, str]:
        runs = bool(oracle.texts("command"))
        place = types.get(oracle.spec.type, len(types)) if oracle.spec else len(types)
        return (True, 0, "") if runs else (False, place, oracle_target(oracle))

    wanted = sorted(view.oracles, key=rank)
    pairs = zip(view.oracles, wanted, strict=True)
    return [
        Edit(now.node.start, now.node.end, text[then.node.start : then.node.end])
        for now, then in pairs
        if now is not then
    ]


def _properties(document: Document, node: ObjectNode) -> list[str]:
    parts = []
    for prop in node.properties:
        value = prop.value
        if value is None:
            continue
        raw = document.text[value.start : value.end]
        if isinstance(value, ObjectNode | ArrayNode) and any(
            isinstance(n, ObjectNode | ArrayNode) for n in walk(value)
        ):
            raw = " ".join(line.strip() for line in raw.splitlines())
        parts.append(f"{document.text[prop.key.start : prop.key.end]}: {raw}")
    return parts


def _one_line(document: Document, node: ObjectNode) -> str:
    parts = _properties(document, node)
    return "{ " + ", ".join(parts) + " }" if parts else "{}"


def _lines(document: Document, node: ObjectNode) -> str:
    parts = _properties(document, node)
    if not parts:
        return "{}"
    outer = line_break(document) + line_indent(document, node.start)
    return "{" + ",".join(f"{outer}  {part}" for part in parts) + outer + "}"

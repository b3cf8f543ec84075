"""Completion: what may be written at a place of a document, however broken the rest is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from agentbench_lsp.dsl.schema import DocumentKind, document_schema
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.oracle_docs import oracle_markdown, param_markdown
from agentbench_lsp.language.snippet import INDENT, escape, oracle_snippet, param_lines, value_place
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.oracles.base import OracleSpec
from agentbench_lsp.syntax.cursor import Cursor, cursor_at
from agentbench_lsp.syntax.nodes import ObjectNode, json_type, walk

_MORE = re.compile(r'\s*["{]')
ItemKind = Literal["field", "oracle-type", "param", "file", "value"]


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal: `snippet` replaces the text from `start` to `end`; `insert` is put at an offset before that."""

    label: str
    kind: ItemKind
    snippet: str
    start: int
    end: int
    filter_text: str
    detail: str = ""
    documentation: str = ""
    insert: tuple[int, str] | None = None


def complete(document: Document, offset: int, specs: Mapping[str, OracleSpec]) -> list[Completion]:
    """Proposals at an offset; none in documents that are not ours."""
    if document.kind is None:
        return []
    cursor = cursor_at(document.text, offset)
    if cursor is None:
        return []
    items = _Completer(document, cursor, TaskDocument(document, specs)).items(document.kind)
    before_more = bool(_MORE.match(document.text, cursor.end))
    return [_fitted(item, cursor, before_more) for item in items]


def _fitted(item: Completion, cursor: Cursor, before_more: bool) -> Completion:
    """The proposal with the commas its place needs; `before_more`: another key or object follows."""
    if cursor.expects == "comma" and cursor.previous_end > 0:
        item = replace(item, insert=(cursor.previous_end, ","))
    if before_more and item.kind != "value":
        item = replace(item, snippet=item.snippet + ",")
    return item


@dataclass(frozen=True)
class _Completer:
    document: Document
    cursor: Cursor
    task: TaskDocument

    def items(self, kind: DocumentKind) -> Iterator[Completion]:
        cursor = self.cursor
        at_key = cursor.expects in ("key", "comma") and self._container_is_object()
        if cursor.expects == "document":
            rest = self.document.text[: cursor.start] + self.document.text[cursor.end :]
            if kind == "task" and not rest.strip():
                yield self._item("task", "value", _TASK, "a whole task")
        elif cursor.path == ():
            if at_key:
                yield from self._fields(kind)
        elif kind == "task" and cursor.path[0] == "oracles":
            yield from self._in_oracles(at_key)

    def _container_is_object(self) -> bool:
        start = self.cursor.container_start
        return start is not None and self.document.text[start] != "["

    def _item(self, label: str, kind: ItemKind, snippet: str, detail: str = "", documentation: str = "") -> Completion:
        cursor = self.cursor
        # Editors filter by the text that is replaced, which begins with the quote where one is written.
        filter_text = json.dumps(label, ensure_ascii=False) if cursor.in_string else label
        return Completion(label, kind, snippet, cursor.start, cursor.end, filter_text, detail, documentation)

    def _present(self) -> set[str]:
        """Keys that the object around the cursor has already, except the one that is being written."""
        cursor = self.cursor
        for node in walk(self.document.root):
            if isinstance(node, ObjectNode) and node.start == cursor.container_start:
                return {p.key.value for p in node.properties if p.key.start != cursor.start}
        return set()

    def _fields(self, kind: DocumentKind) -> Iterator[Completion]:
        present = self._present()
        for name, schema in document_schema(kind)["properties"].items():
            if name not in present:
                value = {"object": "{\n  $1\n}", "array": "[$1]"}.get(_first_type(schema), '"$1"')
                snippet = f'"{name}": {value}'
                yield self._item(name, "field", snippet, "", schema.get("description", ""))

    def _in_oracles(self, at_key: bool) -> Iterator[Completion]:
        cursor = self.cursor
        if len(cursor.path) == 1 and not self._container_is_object():
            if cursor.expects in ("item", "comma") and not cursor.in_string:
                yield from self._whole_oracles()
        elif len(cursor.path) == 2 and at_key:
            yield from self._params()
        elif len(cursor.path) == 2 and cursor.expects == "value":
            yield from self._types() if cursor.key == "type" else self._values()

    def _whole_oracles(self) -> Iterator[Completion]:
        for spec in self.task.specs.values():
            yield self._item(spec.type, "oracle-type", oracle_snippet(spec), "oracle", oracle_markdown(spec))

    def _types(self) -> Iterator[Completion]:
        present = self._present()
        for spec in self.task.specs.values():
            required = [p for p in spec.params or () if p.required and p.name not in present]
            lines = [escape(json.dumps(spec.type)), *param_lines(required)]
            yield self._item(spec.type, "oracle-type", ",\n".join(lines), "oracle type", oracle_markdown(spec))

    def _spec(self) -> OracleSpec | None:
        start = self.cursor.container_start
        return next((o.spec for o in self.task.oracles if o.node.start == start), None)

    def _params(self) -> Iterator[Completion]:
        present, spec = self._present(), self._spec()
        if "type" not in present:
            yield self._item("type", "param", '"type": "$1"', "oracle type", "Which check this oracle is.")
        for param in spec.params or () if spec else ():
            if param.name not in present:
                snippet = f"{json.dumps(param.name)}: {value_place(param, 1)}"
                detail = "required" if param.required else "optional"
                yield self._item(param.name, "param", snippet, f"{param.kind}, {detail}", param_markdown(param))

    def _values(self) -> Iterator[Completion]:
        spec = self._spec()
        param = spec.param(self.cursor.key or "") if spec else None
        if param is None:
            return
        if param.kind == "workspace_path":
            for prop in self.task.files:
                if json_type(prop.value) in ("string", "missing"):
                    path = prop.key.value
                    snippet = escape(json.dumps(path, ensure_ascii=False))
                    yield self._item(path, "file", snippet, "workspace file")
        elif param.kind == "boolean" and not self.cursor.in_string:
            for word in ("true", "false"):
                yield self._item(word, "value", word, "", param_markdown(param))
        elif param.default is not None and not self.cursor.in_string:
            word = json.dumps(param.default)
            yield self._item(word, "value", escape(word), "default", param_markdown(param))


def _first_type(schema: dict[str, object]) -> str:
    kind = schema.get("type", "string")
    return str(kind[0] if isinstance(kind, list) else kind)


_TASK = f"""{{
{INDENT}"id": "$1",
{INDENT}"name": "$2",
{INDENT}"description": "$3",
{INDENT}"prompt": "$4",
{INDENT}"workspace": {{
{INDENT}{INDENT}"$5": "$6"
{INDENT}}},
{INDENT}"oracles": [
{INDENT}{INDENT}$7
{INDENT}]
}}"""

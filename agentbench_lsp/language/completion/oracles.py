"""Oracles: whole ones, their types, their params."""

from __future__ import annotations

import json
from collections.abc import Iterator

from agentbench_lsp.language.completion.item import Completion, Request
from agentbench_lsp.language.oracle_docs import oracle_markdown, param_markdown
from agentbench_lsp.language.snippet import escape, oracle_snippet, param_lines, value_place
from agentbench_lsp.language.task_document import TaskDocument


def provide(request: Request) -> Iterator[Completion]:
    """In `oracles` of a task."""
    cursor = request.cursor
    if not isinstance(request.view, TaskDocument) or cursor.path[:1] != ("oracles",):
        return
    if len(cursor.path) == 1 and request.at_item and not cursor.in_string:
        for spec in request.view.specs.values():
            yield request.item(spec.type, "oracle-type", oracle_snippet(spec), "oracle", oracle_markdown(spec))
    elif len(cursor.path) == 2 and request.at_key:
        yield from _params(request, request.view)
    elif len(cursor.path) == 2 and cursor.expects == "value" and cursor.key == "type":
        yield from _types(request)


def _types(request: Request) -> Iterator[Completion]:
    for spec in request.view.specs.values():
        required = [p for p in spec.params or () if p.required and p.name not in request.present]
        lines = [escape(json.dumps(spec.type)), *param_lines(required)]
        yield request.item(spec.type, "oracle-type", ",\n".join(lines), "oracle type", oracle_markdown(spec))


def _params(request: Request, task: TaskDocument) -> Iterator[Completion]:
    if "type" not in request.present:
        yield request.item("type", "param", '"type": "$1"', "oracle type", "Which check this oracle is.")
    start = request.cursor.container_start
    spec = next((o.spec for o in task.oracles if o.node.start == start), None)
    for param in spec.params or () if spec else ():
        if param.name not in request.present:
            snippet = f"{json.dumps(param.name)}: {value_place(param, 1)}"
            detail = "required" if param.required else "optional"
            yield request.item(param.name, "param", snippet, f"{param.kind}, {detail}", param_markdown(param))

"""Values in a task: workspace paths, patterns, commands, defaults; tags; codes to ignore; the id."""

from __future__ import annotations

import json
from collections.abc import Iterator

from agentbench_lsp.language import diagnostics
from agentbench_lsp.language.command_source import useful_commands
from agentbench_lsp.language.completion.fields import file_stem
from agentbench_lsp.language.completion.item import Completion, Request
from agentbench_lsp.language.oracle_docs import param_markdown
from agentbench_lsp.language.path_source import useful_paths
from agentbench_lsp.language.pattern_source import telling_patterns
from agentbench_lsp.language.rule_settings import IGNORE_FIELD
from agentbench_lsp.language.snippet import escape
from agentbench_lsp.language.task_document import OracleView, TaskDocument, content_of
from agentbench_lsp.oracles.base import Param


def provide(request: Request) -> Iterator[Completion]:
    """Where a value or an item of a list is written."""
    cursor, view = request.cursor, request.view
    if cursor.path == (IGNORE_FIELD,) and request.at_item:
        yield from _codes(request)
    if not isinstance(view, TaskDocument):
        return
    if cursor.path == ("tags",) and request.at_item:
        yield from _tags(request)
    elif cursor.path == () and cursor.key == "id" and cursor.expects == "value" and (stem := file_stem(request)):
        yield request.text(stem, "value", "name of the file")
    elif len(cursor.path) == 2 and cursor.path[0] == "oracles" and cursor.expects == "value":
        oracle = next((o for o in view.oracles if o.node.start == cursor.container_start), None)
        param = oracle.spec.param(cursor.key or "") if oracle and oracle.spec else None
        if oracle is not None and param is not None:
            yield from _param_value(request, view, oracle, param)


def _codes(request: Request) -> Iterator[Completion]:
    for code, known in diagnostics.all_rules().items():
        yield request.text(code, "value", known.rule.severity.value, known.rule.title)


def _tags(request: Request) -> Iterator[Completion]:
    tags = request.view.field("tags")
    present = {
        getattr(item, "value", None) for item in getattr(tags, "items", []) if item.start != request.cursor.start
    }
    for tag, count in sorted(request.view.around.neighbours().tags.items(), key=lambda pair: (-pair[1], pair[0])):
        if tag not in present:
            yield request.text(tag, "value", f"in {count} {'task' if count == 1 else 'tasks'} of this folder")


def _param_value(request: Request, task: TaskDocument, oracle: OracleView, param: Param) -> Iterator[Completion]:
    in_string = request.cursor.in_string
    if param.kind == "workspace_path":
        for path, why in useful_paths(task, oracle, param):
            yield request.text(path, "file", why)
    elif param.kind == "regex":
        yield from _patterns(request, task, oracle)
    elif param.kind == "command":
        for command in useful_commands(task, oracle.node):
            yield request.text(command.text, "command", command.why)
    elif param.kind == "boolean" and not in_string:
        for word in ("true", "false"):
            yield request.item(word, "value", word, "", param_markdown(param))
    elif param.default is not None and not in_string:
        word = json.dumps(param.default)
        yield request.item(word, "value", escape(word), "default", param_markdown(param))


def _patterns(request: Request, task: TaskDocument, oracle: OracleView) -> Iterator[Completion]:
    file = task.target(oracle)
    content = content_of(file)
    if file is None or content is None:
        return
    path = file.key.value
    used = {p.pattern for p in task.patterns if p.file is file and p.node.start != request.cursor.start}
    for found in telling_patterns(content, path):
        if found.pattern not in used:
            about = f"Line {found.number} of `{path}`, as a regex:\n\n```\n{found.pattern}\n```"
            yield request.text(found.pattern, "pattern", f"line {found.number}", about, label=found.line)

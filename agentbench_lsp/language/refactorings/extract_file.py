"""Make a program that stands in a command (`python -c "…"`, `node -e`, `sh -c`) a file of the workspace.

It is then readable, and protected: the new file gets `file_not_modified`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentbench_lsp.language.edits import add_oracle, append, json_text
from agentbench_lsp.language.finding import Edit
from agentbench_lsp.language.refactoring import Refactoring
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.runner.shell_command import Part, Word, parts
from agentbench_lsp.syntax import json_string
from agentbench_lsp.syntax.nodes import ObjectNode

_TOOLS = (
    (re.compile(r"python[\d.]*"), "-c", "py"),
    (re.compile(r"node"), "-e", "js"),
    (re.compile(r"(ba|da)?sh"), "-c", "sh"),
)


def offer(view: DocumentView, start: int, end: int) -> Iterator[Refactoring]:
    """On a command with an inline program that the shell takes as it stands."""
    workspace = view.field("workspace")
    if not isinstance(view, TaskDocument) or not isinstance(workspace, ObjectNode):
        return
    for param in view.params("command"):
        if not param.node.start <= start <= param.node.end:
            continue
        for part in parts(param.node.value):
            found = _inline(part, param.node.value)
            if found is None:
                continue
            flag, program, extension = found
            name = _free_name(view, extension)
            content = program.text if program.text.endswith("\n") else program.text + "\n"
            first, last = param.node.offset_of(flag.start), param.node.offset_of(program.end)
            edits = [
                append(view.document, workspace, f"{json_text(name)}: {json_text(content)}"),
                Edit(first, last, json_string.encode(name)),
            ]
            if protect := add_oracle(view.document, {"type": "file_not_modified", "path": name}):
                edits.append(protect)
            yield Refactoring(f"Extract the program into the workspace file {name}", "refactor.extract", tuple(edits))
            return


def _inline(part: Part, command: str) -> tuple[Word, Word, str] | None:
    for tool, wanted, extension in _TOOLS:
        if not tool.fullmatch(part.tool) or len(part.arguments) < 2:
            continue
        flag, program = part.arguments[0], part.arguments[1]
        raw = command[program.start : program.end]
        expanded = raw.startswith('"') and re.search(r"[$`]", raw)
        if flag.text == wanted and raw[:1] in ("'", '"') and not expanded:
            return flag, program, extension
    return None


def _free_name(view: TaskDocument, extension: str) -> str:
    names = [f"check.{extension}", *(f"check_{i}.{extension}" for i in range(2, 1000))]
    return next(name for name in names if name not in view.folded_files)

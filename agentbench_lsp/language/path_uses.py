"""Where a task names its workspace files: keys of `workspace`, path params, files that commands run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.models.paths import fold
from agentbench_lsp.runner.shell_command import files_run
from agentbench_lsp.syntax.nodes import StringNode


@dataclass(frozen=True, slots=True)
class PathUse:
    """A place that names a file: its folded path, and the range of the path's text, without quotes."""

    path: str
    start: int
    end: int
    kind: Literal["file", "param", "command"]
    oracle: int | None = None  # index
    quoted: bool = False  # between quotes of the shell


def path_uses(task: TaskDocument) -> Iterator[PathUse]:
    """Every use of every path."""
    for file in task.files:
        if path := fold(file.key.value):
            yield PathUse(path, *file.key.inner, "file")
    for view in task.params("workspace_path"):
        if path := fold(view.node.value):
            yield PathUse(path, *view.node.inner, "param", view.oracle.index)
    for view in task.params("command"):
        for file_run in files_run(view.node.value, task.folded_files):
            if file_run.named:
                yield _in_command(view.node, file_run.path, file_run.start, file_run.end, view.oracle.index)


def _in_command(node: StringNode, path: str, start: int, end: int, oracle: int) -> PathUse:
    word = node.value[start:end].partition("::")[0]
    quote = 1 if word[:1] in ("'", '"') and word[-1:] == word[:1] else 0
    first, last = node.offset_of(start + quote), node.offset_of(start + len(word) - quote)
    return PathUse(path, first, last, "command", oracle, bool(quote))


def use_at(task: TaskDocument, offset: int) -> PathUse | None:
    """The use that touches an offset."""
    return next((use for use in path_uses(task) if use.start <= offset <= use.end), None)


def uses_of(task: TaskDocument, path: str) -> list[PathUse]:
    """Every use of a folded path, in document order."""
    return sorted((use for use in path_uses(task) if use.path == path), key=lambda use: use.start)

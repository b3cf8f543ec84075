"""Protect the workspace file under the cursor: add `file_not_modified`."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import add_oracle
from agentbench_lsp.language.path_uses import use_at
from agentbench_lsp.language.refactoring import Refactoring
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.models.paths import fold


def offer(view: DocumentView, start: int, end: int) -> Iterator[Refactoring]:
    """On a path, or anywhere in the content of a workspace file."""
    if not isinstance(view, TaskDocument):
        return
    use = use_at(view, start)
    path = use.path if use else next((fold(f.key.value) for f in view.files if f.start <= start <= f.end), None)
    file = view.folded_files.get(path) if path else None
    if file is None:
        return
    views = (v for v in view.params("workspace_path") if v.param.must_exist)
    if any(fold(v.node.value) == path for v in views):
        return
    edit = add_oracle(view.document, {"type": "file_not_modified", "path": file.key.value})
    if edit is not None:
        yield Refactoring(f"Protect this file: {file.key.value}", "refactor", (edit,))

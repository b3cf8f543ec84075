"""Renaming a workspace file everywhere in its task."""

from __future__ import annotations

from agentbench_lsp.language.finding import Edit
from agentbench_lsp.language.path_uses import PathUse, use_at
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.language.workspace_edits import WorkspaceError, rename_file
from agentbench_lsp.syntax import json_string


def prepare_rename(view: DocumentView, offset: int) -> tuple[int, int, str] | None:
    """Range and text of the path at an offset, where it is a file of the workspace."""
    use = _use_of_file(view, offset)
    if use is None:
        return None
    return use.start, use.end, json_string.decode(view.document.text[use.start : use.end])


def rename(view: DocumentView, offset: int, name: str) -> list[Edit]:
    """Edits that give the file at an offset another path. Raises WorkspaceError."""
    use = _use_of_file(view, offset)
    if use is None or not isinstance(view, TaskDocument):
        raise WorkspaceError("there is no workspace file here")
    return rename_file(view, use.path, name)


def _use_of_file(view: DocumentView, offset: int) -> PathUse | None:
    if not isinstance(view, TaskDocument):
        return None
    use = use_at(view, offset)
    return use if use and use.path in view.folded_files else None

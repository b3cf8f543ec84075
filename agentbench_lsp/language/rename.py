"""Renaming a workspace file everywhere in its task."""

from __future__ import annotations

from agentbench_lsp.language.finding import Edit
from agentbench_lsp.language.path_uses import use_at, uses_of
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.models.paths import escapes, fold, is_absolute, parents, unusable
from agentbench_lsp.syntax import json_string


class RenameError(ValueError):
    """A file cannot be called so; the message says why."""


def prepare_rename(view: DocumentView, offset: int) -> tuple[int, int, str] | None:
    """Range and text of the path at an offset, where it is a file of the workspace."""
    use = use_at(view, offset) if isinstance(view, TaskDocument) else None
    if use is None or not isinstance(view, TaskDocument) or use.path not in view.folded_files:
        return None
    return use.start, use.end, json_string.decode(view.document.text[use.start : use.end])


def rename(view: DocumentView, offset: int, name: str) -> list[Edit]:
    """Edits that give the file at an offset another path. Raises RenameError."""
    if not isinstance(view, TaskDocument) or prepare_rename(view, offset) is None:
        raise RenameError("there is no workspace file here")
    use = use_at(view, offset)
    path = fold(name)
    reason = unusable(path)
    if is_absolute(name) or escapes(path):
        reason = "it is outside of the workspace"
    others = {key for key in view.folded_files if use and key != use.path}
    if path in others:
        reason = "the workspace has such a file already"
    elif any(parent in others for parent in parents(path)) or any(o.startswith(path + "/") for o in others):
        reason = "it would be both file and folder"
    if reason or use is None:
        raise RenameError(f"{name!r} cannot be the path of a workspace file: {reason}")
    edits = []
    for other in uses_of(view, use.path):
        bare = other.kind == "command" and not other.quoted
        text = f"'{path}'" if bare and _needs_quotes(path) else path
        edits.append(Edit(other.start, other.end, json_string.encode(text)))
    return edits


def _needs_quotes(path: str) -> bool:
    return not all(ch.isalnum() or ch in "._-/+@:," for ch in path)

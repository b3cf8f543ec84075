"""Changing the files in a task's `workspace`, leaving every other byte of the task as it is."""

from __future__ import annotations

import re

from agentbench_lsp.language.edits import append, json_text, remove
from agentbench_lsp.language.finding import Edit
from agentbench_lsp.language.path_uses import uses_of
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.models.paths import escapes, fold, is_absolute, parents, unusable
from agentbench_lsp.syntax import json_string
from agentbench_lsp.syntax.nodes import ObjectNode, PropertyNode, StringNode

_LINE_END = re.compile(r"\r\n|\n|\r")


class WorkspaceError(ValueError):
    """What is asked for cannot be done; the message says why."""


def content_at(task: TaskDocument, path: str) -> str:
    """The content of a workspace file. Raises WorkspaceError."""
    return _content(_file(task, path)).value


def write_file(task: TaskDocument, path: str, text: str) -> list[Edit]:
    """Edits that give a file this content; it is made if it is not there. Raises WorkspaceError.

    Only what differs is written, so the rest of the string keeps its escapes.
    """
    file = task.folded_files.get(fold(path))
    if file is None:
        return _add(task, path, text)
    node = _content(file)
    old = node.value
    new = _with_line_ends_of(old, text)
    if new == old:
        return []
    before = _common_prefix(old, new)
    after = _common_prefix(old[before:][::-1], new[before:][::-1])
    raw = task.document.text[node.inner[0] : node.inner[1]]
    piece = json_string.encode(new[before : len(new) - after], ascii_only=raw.isascii() and not old.isascii())
    return [Edit(node.offset_of(before), node.offset_of(len(old) - after), piece)]


def remove_file(task: TaskDocument, path: str) -> list[Edit]:
    """Edits that take a file out of the workspace; oracles that name it stay. Raises WorkspaceError."""
    file, workspace = _file(task, path), task.field("workspace")
    return [remove(task.document, workspace, file)] if isinstance(workspace, ObjectNode) else []


def rename_file(task: TaskDocument, path: str, name: str) -> list[Edit]:
    """Edits that give a file another path, in `workspace`, params and commands. Raises WorkspaceError."""
    old = fold(_file(task, path).key.value)
    new = _checked_path(task, name, {key for key in task.folded_files if key != old})
    edits = []
    for use in uses_of(task, old):
        bare = use.kind == "command" and not use.quoted
        text = f"'{new}'" if bare and _needs_quotes(new) else new
        edits.append(Edit(use.start, use.end, json_string.encode(text)))
    return edits


def _file(task: TaskDocument, path: str) -> PropertyNode:
    file = task.folded_files.get(fold(path))
    if file is None:
        raise WorkspaceError(f"the workspace has no file {path!r}")
    return file


def _content(file: PropertyNode) -> StringNode:
    node = file.value
    if not isinstance(node, StringNode):
        raise WorkspaceError(f"the content of {file.key.value!r} is no string")
    if not node.closed:
        raise WorkspaceError(f"the string of {file.key.value!r} has no end: mend the JSON first")
    return node


def _add(task: TaskDocument, path: str, text: str) -> list[Edit]:
    key = _checked_path(task, path, set(task.folded_files))
    workspace = task.field("workspace")
    if isinstance(workspace, ObjectNode):
        if not workspace.closed:
            raise WorkspaceError("the task's workspace has no end: mend the JSON first")
        return [append(task.document, workspace, f"{json_text(key)}: {json_text(text)}")]
    root = task.document.root
    if workspace is None and isinstance(root, ObjectNode) and root.get("workspace") is None:
        return [append(task.document, root, f'"workspace": {{\n  {json_text(key)}: {json_text(text)}\n}}')]
    raise WorkspaceError("the task's workspace is no object")


def _checked_path(task: TaskDocument, name: str, others: set[str]) -> str:
    path = fold(name)
    reason = unusable(path)
    if is_absolute(name) or escapes(path):
        reason = "it is outside of the workspace"
    if path in others:
        reason = "the workspace has such a file already"
    elif any(parent in others for parent in parents(path)) or any(o.startswith(path + "/") for o in others):
        reason = "it would be both file and folder"
    if reason:
        raise WorkspaceError(f"{name!r} cannot be the path of a workspace file: {reason}")
    return path


def _needs_quotes(path: str) -> bool:
    return not all(ch.isalnum() or ch in "._-/+@:," for ch in path)


def _common_prefix(one: str, other: str) -> int:
    """How many characters two texts begin with in common; by halves, since slices compare at C speed."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _with_line_ends_of(old: str, new: str) -> str:
    """`new`, where an editor has made the mixed line ends of `old` one kind, with those of the lines it left alone."""
    ends = _LINE_END.findall(old)
    if len(set(ends)) < 2:
        return new
    usual = "\r\n" if ends.count("\r\n") * 2 > len(ends) else "\n"
    if set(_LINE_END.findall(new)) - {usual}:
        return new
    old_lines, new_lines = _lines(old), _lines(new)
    # A line that ends is no line that does not.
    bare_old, bare_new = ([_LINE_END.sub("\n", line) for line in lines] for lines in (old_lines, new_lines))
    most = min(len(bare_old), len(bare_new))
    first = next((i for i in range(most) if bare_old[i] != bare_new[i]), most)
    last = next((i for i in range(most - first) if bare_old[-1 - i] != bare_new[-1 - i]), most - first)
    kept_end = old_lines[len(old_lines) - last :]
    return "".join([*old_lines[:first], *new_lines[first : len(new_lines) - last], *kept_end])


def _lines(text: str) -> list[str]:
    found, at = [], 0
    for match in _LINE_END.finditer(text):
        found.append(text[at : match.end()])
        at = match.end()
    return [*found, text[at:]]

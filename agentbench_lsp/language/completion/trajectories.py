"""Steps of a trajectory: whole ones, tools, arguments, the paths of its task."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.completion.item import Completion, Request
from agentbench_lsp.language.trajectory_document import TrajectoryDocument
from agentbench_lsp.runner.edits.reading import PATH_ARGS
from agentbench_lsp.runner.tools import TOOLS

_STEP = '{ "type": "tool_call", "tool": "%s", "args": { %s } }'
_STEPS = {
    "write_file": ("writes a whole file", '"path": "$1", "content": "$2"'),
    "str_replace": ("replaces a text of a file", '"path": "$1", "old_string": "$2", "new_string": "$3"'),
    "run_command": ("runs a shell command (not replayed)", '"command": "$1"'),
}
_KEYS = {
    "type": ('"tool_call"', "What kind of step it is: `tool_call`, `file_edit`, `command` or a recorder's own."),
    "tool": ('"$1"', "Name of the tool."),
    "args": ("{ $1 }", "Arguments of the call."),
    "error": ('"$1"', "Why the call failed; a failed call changed nothing."),
}
_ARGS = {
    "path": ('"$1"', "File that is written, relative to the workspace."),
    "content": ('"$1"', "Whole new content of the file."),
    "old_string": ('"$1"', "Text that is replaced; it has to be in the file once."),
    "new_string": ('"$1"', "What it is replaced by."),
    "replace_all": ("true", "Replace every occurrence."),
    "command": ('"$1"', "Shell command."),
}
_KINDS = {"edit": "edits files", "command": "runs a command", "network": "reaches for the network"}
_WRITE_ARGS = ("path", "content", "old_string", "new_string", "replace_all")


def provide(request: Request) -> Iterator[Completion]:
    """In `steps`, and `metadata.task`."""
    cursor, view = request.cursor, request.view
    if not isinstance(view, TrajectoryDocument):
        return
    at_value = cursor.expects == "value"
    if cursor.path == ("steps",) and request.at_item and not cursor.in_string:
        for tool, (what, args) in _STEPS.items():
            yield request.item(tool, "snippet", _STEP % (tool, args), f"a step that {what}")
    elif len(cursor.path) == 2 and cursor.path[0] == "steps":
        if request.at_key:
            yield from _keys(request, _KEYS)
        elif at_value:
            yield from _words(request)
    elif len(cursor.path) == 3 and cursor.path[0] == "steps" and cursor.path[2] == "args":
        if request.at_key:
            yield from _keys(request, _args_of(request, view))
        elif at_value and cursor.key in PATH_ARGS:
            yield from _paths(request, view)
    elif cursor.path == ("metadata",) and at_value and cursor.key == "task":
        for task_id in view.around.neighbours().by_id:
            yield request.text(task_id, "value", "task of this folder")


def _keys(request: Request, keys: dict[str, tuple[str, str]]) -> Iterator[Completion]:
    for name, (value, about) in keys.items():
        if name not in request.present:
            yield request.item(name, "param", f'"{name}": {value}', "", about)


def _args_of(request: Request, view: TrajectoryDocument) -> dict[str, tuple[str, str]]:
    step = next((s for s in view.steps if s.step.index == request.cursor.path[1]), None)
    if step is not None and step.step.is_command:
        return {"command": _ARGS["command"]}
    if step is not None and step.step.is_write:
        return {name: _ARGS[name] for name in _WRITE_ARGS}
    return _ARGS


def _words(request: Request) -> Iterator[Completion]:
    if request.cursor.key == "tool":
        for tool in TOOLS:
            yield request.text(tool.name, "value", f"{_KINDS[tool.kind]} ({tool.agents}): {tool.args}")
    elif request.cursor.key == "type":
        for word in ("tool_call", "file_edit", "command"):
            yield request.text(word, "value", "kind of step")


def _paths(request: Request, view: TrajectoryDocument) -> Iterator[Completion]:
    paths = dict.fromkeys(view.task[1].folded_files, "file of the task") if view.task else {}
    for step in view.steps:
        if step.step.path and step.path_node and step.path_node.start != request.cursor.start:
            paths.setdefault(step.step.path, "written by another step")
    for path, why in paths.items():
        yield request.text(path, "value", why)

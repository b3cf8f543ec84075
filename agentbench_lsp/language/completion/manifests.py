"""Names in a manifest."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.completion.item import Completion, Request
from agentbench_lsp.language.manifest_document import ManifestDocument

_NAMED: dict[str | int | None, str] = {
    "task_subset": "manifest",
    "trajectory": "trajectory",
    "recorded_for": "task",
}
_FOLDERS = {"task": ("", "../tasks"), "trajectory": ("", "trajectories")}  # a gate finds tasks by their name alone


def provide(request: Request) -> Iterator[Completion]:
    """Task files that are not listed yet; a manifest, a recording, a task for the fields that name one."""
    view, cursor = request.view, request.cursor
    if not isinstance(view, ManifestDocument):
        return
    wanted = None
    if cursor.path == ("task_files",) and request.at_item:
        wanted = "task"
    elif cursor.path == () and cursor.key in _NAMED and cursor.expects == "value":
        wanted = _NAMED[cursor.key]
    listed = {node.value for node in view.entries if request.at_item and node.start != cursor.start}
    folders = _FOLDERS.get(wanted or "", ("",))
    for folder in folders:
        for name, summary in view.around.neighbours(folder).files.items():
            if summary.kind == wanted and name not in listed and (folder or name != view.around.name):
                listed.add(name)
                written = f"{folder}/{name}" if folder and wanted == "trajectory" else name
                yield request.text(written, "file", summary.name or "", summary.description)

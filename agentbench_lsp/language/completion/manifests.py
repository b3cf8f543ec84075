"""Names in a manifest."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.completion.item import Completion, Request
from agentbench_lsp.language.manifest_document import ManifestDocument


def provide(request: Request) -> Iterator[Completion]:
    """Task files of the folder that are not listed yet; other manifests for `task_subset`."""
    view, cursor = request.view, request.cursor
    if not isinstance(view, ManifestDocument):
        return
    wanted = None
    if cursor.path == ("task_files",) and request.at_item:
        wanted = "task"
    elif cursor.path == () and cursor.key == "task_subset" and cursor.expects == "value":
        wanted = "manifest"
    listed = {node.value for node in view.entries if node.start != cursor.start}
    folders = ("", "../tasks") if wanted == "task" else ("",)
    for folder in folders:
        for name, summary in view.around.neighbours(folder).files.items():
            if summary.kind == wanted and name not in listed and (folder or name != view.around.name):
                listed.add(name)
                yield request.text(name, "file", summary.name or "", summary.description)

"""Which recordings belong to a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.server.request import Subject

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer


def recordings(server: AgentBenchServer, found: Subject, last: str | None = None) -> list[str]:
    """URIs of trajectories: the one used last, those named like the task, beside it and in `trajectories`."""
    uris = [last] if last else []
    around = found.view.around
    stem = around.name.removesuffix(".json").removesuffix(".task")
    task_id = found.view.text_of("id") if isinstance(found.view, TaskDocument) else None
    for folder in ("", "trajectories", "../trajectories"):
        for name, summary in around.neighbours(folder).files.items():
            named = name.startswith((f"{stem}.", f"{stem}_", f"{stem}-"))
            if summary.kind == "trajectory" and stem and (named or (summary.id and summary.id == task_id)):
                path = found.resolve(f"{folder}/{name}" if folder else name)
                if path is not None:
                    uris.append(path.as_uri())
    return list(dict.fromkeys(uris))

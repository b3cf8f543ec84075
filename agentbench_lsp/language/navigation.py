"""From a name to what it means: definition, references, highlights, links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agentbench_lsp.language.manifest_document import ManifestDocument
from agentbench_lsp.language.path_uses import PathUse, use_at, uses_of
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.trajectory_document import StepView, TrajectoryDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ObjectNode, StringNode


@dataclass(frozen=True, slots=True)
class Target:
    """A range of a document; `path` is relative to the folder of the one that was asked about, None for itself."""

    path: str | None
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A range that leads to another document."""

    start: int
    end: int
    path: str
    tooltip: str


def definition(view: DocumentView, offset: int) -> tuple[tuple[int, int], Target] | None:
    """The range of the name at an offset, and where it is defined."""
    if isinstance(view, TaskDocument):
        use = use_at(view, offset)
        file = view.folded_files.get(use.path) if use else None
        if use is None or file is None:
            return None
        return (use.start, use.end), Target(None, file.key.start, file.key.end)
    for link in links(view):
        if link.start <= offset <= link.end:
            return (link.start, link.end), Target(link.path)
    if isinstance(view, TrajectoryDocument):
        return _file_of_step(view, offset)
    return None


def _file_of_step(view: TrajectoryDocument, offset: int) -> tuple[tuple[int, int], Target] | None:
    step = step_at(view, offset)
    node = step.path_node if step else None
    if step is None or node is None or not node.start <= offset <= node.end or view.task is None:
        return None
    path, task = view.task
    file = task.folded_files.get(view.recording.locate(step.step, node.value))
    return (node.inner, Target(path, file.key.start, file.key.end)) if file else None


def step_at(view: TrajectoryDocument, offset: int) -> StepView | None:
    """The step around an offset."""
    return next((s for s in view.steps if s.node.start <= offset <= s.node.end), None)


def references(view: DocumentView, offset: int, with_definition: bool = True) -> list[PathUse]:
    """Every use of the workspace file named at an offset."""
    use = use_at(view, offset) if isinstance(view, TaskDocument) else None
    if use is None or not isinstance(view, TaskDocument):
        return []
    return [other for other in uses_of(view, use.path) if with_definition or other.kind != "file"]


def highlights(view: DocumentView, offset: int) -> list[tuple[int, int, bool]]:
    """Ranges of what is named at an offset, and whether it is defined there: a file, or a path of a trajectory."""
    if isinstance(view, TaskDocument):
        return [(use.start, use.end, use.kind == "file") for use in references(view, offset)]
    if isinstance(view, TrajectoryDocument):
        step = step_at(view, offset)
        node = step.path_node if step else None
        if step is not None and node is not None and node.start <= offset <= node.end:
            wanted = view.recording.locate(step.step, node.value)
            nodes = [(s.step, s.path_node) for s in view.steps]
            return [(*n.inner, False) for s, n in nodes if n and view.recording.locate(s, n.value) == wanted]
    return []


def links(view: DocumentView) -> Iterator[Link]:
    """Names of other documents: a manifest's tasks, the task of a trajectory."""
    if isinstance(view, ManifestDocument):
        for node in view.entries:
            if path := view.find(node.value):
                yield Link(*node.inner, path, "Open the task")
        if view.subset and view.around.exists(view.subset.value):
            yield Link(*view.subset.inner, view.subset.value, "Open the manifest")
    elif isinstance(view, TrajectoryDocument) and view.task is not None:
        metadata = view.field("metadata")
        name = metadata.value_of("task") if isinstance(metadata, ObjectNode) else None
        if isinstance(name, StringNode):
            yield Link(*name.inner, view.task[0], "Open the task")

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
    """A range of a document; `path` is relative to the folder of the one that was asked about, None for itself.

    `line`, from 1, stands for the range in a file that may be too large to be read for it.
    """

    path: str | None
    start: int = 0
    end: int = 0
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A range that leads to another document, to its line `line` (from 1) where there is one."""

    start: int
    end: int
    path: str
    tooltip: str
    line: int | None = None


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
            return (link.start, link.end), Target(link.path, line=link.line)
    if isinstance(view, TrajectoryDocument):
        return _file_of_step(view, offset) or _recorded_at(view, offset)
    return None


def _file_of_step(view: TrajectoryDocument, offset: int) -> tuple[tuple[int, int], Target] | None:
    step = step_at(view, offset)
    node = step.path_node if step else None
    if step is None or node is None or not node.start <= offset <= node.end or view.task is None:
        return None
    path, task = view.task
    file = task.folded_files.get(view.recording.locate(step.step, node.value))
    return (node.inner, Target(path, file.key.start, file.key.end)) if file else None


def _recorded_at(view: TrajectoryDocument, offset: int) -> tuple[tuple[int, int], Target] | None:
    """From a step's tool to the line of the session that it was imported from."""
    step = step_at(view, offset)
    if step is None or not step.head[0] <= offset <= step.head[1]:
        return None
    path, line = _session_of(view, step), step.step.source_line
    return (step.head, Target(path, line=line)) if path is not None and line is not None else None


def _session_of(view: TrajectoryDocument, step: StepView | None) -> str | None:
    """The file that a step, or the whole trajectory, was imported from."""
    source = view.recording.metadata.get("source")
    file = source.get("file") if isinstance(source, dict) else None
    if not isinstance(file, str) or not file:
        return None
    own = step.step.raw.get("source") if step else None
    other = own.get("file") if isinstance(own, dict) else None
    # A sub-agent's file is named relative to the session.
    return f"{file.rpartition('/')[0] or '.'}/{other}" if isinstance(other, str) and other else file


def _sessions(view: TrajectoryDocument) -> Iterator[Link]:
    """Where a trajectory says which session it is of, and each step which line."""
    metadata = view.field("metadata")
    source = metadata.value_of("source") if isinstance(metadata, ObjectNode) else None
    file = source.value_of("file") if isinstance(source, ObjectNode) else None
    path = _session_of(view, None)
    if isinstance(file, StringNode) and path is not None:
        yield Link(*file.inner, path, "Open the session")
    for step in view.steps if path is not None else ():
        source = step.node.value_of("source")
        line = source.value_of("line") if isinstance(source, ObjectNode) else None
        target = _session_of(view, step)
        if line is not None and target is not None and step.step.source_line is not None:
            yield Link(line.start, line.end, target, "Open the session at this step", step.step.source_line)


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
    """Names of other documents: a manifest's tasks, the task of a trajectory, the session it was imported from."""
    if isinstance(view, ManifestDocument):
        for node in view.entries:
            if path := view.find(node.value):
                yield Link(*node.inner, path, "Open the task")
        if view.subset and view.around.exists(view.subset.value):
            yield Link(*view.subset.inner, view.subset.value, "Open the manifest")
    elif isinstance(view, TrajectoryDocument):
        metadata = view.field("metadata")
        name = metadata.value_of("task") if isinstance(metadata, ObjectNode) else None
        if isinstance(name, StringNode) and view.task is not None:
            yield Link(*name.inner, view.task[0], "Open the task")
        yield from _sessions(view)

"""A trajectory document: its steps, and the task it was recorded for, where that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.dsl.structure import trajectory_errors
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.runner.edits.reading import PATH_ARGS
from agentbench_lsp.runner.trajectory import Trajectory, TrajectoryStep
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode, StringNode, to_value


@dataclass(frozen=True)
class StepView:
    """An object of `steps`, as it stands and as replay reads it."""

    node: ObjectNode
    step: TrajectoryStep

    @property
    def head(self) -> tuple[int, int]:
        """Range that stands for the step."""
        return step_head(self.node)

    @property
    def path_node(self) -> StringNode | None:
        """The path that replay uses."""
        args = self.node.value_of("args")
        values = [args.value_of(name) for name in PATH_ARGS] if isinstance(args, ObjectNode) else []
        return next((v for v in values if isinstance(v, StringNode) and v.value), None)

    def range_of(self, path: str) -> tuple[int, int]:
        """Range of a path that the step edits: where it stands as an argument, else the step's head."""
        node = self.path_node
        return (node.start, node.end) if node is not None and node.value == path else self.head

    def arg(self, *names: str) -> StringNode | None:
        """The first of these arguments that is a text."""
        args = self.node.value_of("args")
        values = [args.value_of(name) for name in names] if isinstance(args, ObjectNode) else []
        return next((v for v in values if isinstance(v, StringNode)), None)


@dataclass(frozen=True)
class TrajectoryDocument(DocumentView):
    """Typed views over the tree of a trajectory."""

    @cached_property
    def errors(self) -> list[DocumentError]:
        return trajectory_errors(self.value)

    @cached_property
    def items(self) -> list[Node]:
        """Everything in `steps`, whatever its type."""
        steps = self.field("steps")
        if isinstance(steps, ObjectNode):
            return [steps]  # its brackets are missing
        return steps.items if isinstance(steps, ArrayNode) else []

    @cached_property
    def recording(self) -> Trajectory:
        """What replay reads."""
        value = self.value if isinstance(self.value, dict) else {}
        return Trajectory.from_dict({**value, "steps": [to_value(item) for item in self.items]})

    @cached_property
    def steps(self) -> list[StepView]:
        pairs = zip(self.items, self.recording.steps, strict=False)
        return [StepView(node, step) for node, step in pairs if isinstance(node, ObjectNode)]

    def range_of_step(self, step: int) -> tuple[int, int]:
        """Range that stands for a step. The start if it is not there."""
        return step_range(self.document, step)

    @cached_property
    def task(self) -> tuple[str, TaskDocument] | None:
        """The task it was recorded for and its path: named by `metadata.task`, or by the file's own name."""
        for path in self._candidates():
            found = self.around.document(path)
            if found is not None and found.kind == "task":
                return path, TaskDocument(found, self.specs, self.around)
        return None

    def _candidates(self) -> Iterator[str]:
        metadata = self.field("metadata")
        named = metadata.value_of("task") if isinstance(metadata, ObjectNode) else None
        if isinstance(named, StringNode) and named.value:
            for folder in ("", ".."):
                prefix = f"{folder}/" if folder else ""
                yield prefix + named.value
                yield from (prefix + name for name in self.around.neighbours(folder).by_id.get(named.value, ()))
        stem = re.sub(r"\.json$|\.trajectory\.json$", "", self.around.name)
        while stem:
            yield from (f"{stem}.json", f"{stem}.task.json", f"../{stem}.json", f"../{stem}.task.json")
            stem = stem.rpartition(".")[0]


def step_range(document: Document, step: int) -> tuple[int, int]:
    """Range that stands for a step of a document. The start if it is not there."""
    _, node = document.find(("steps", step))
    return step_head(node) if isinstance(node, ObjectNode) else (0, 0)


def step_head(node: ObjectNode) -> tuple[int, int]:
    """Range that stands for a step: its tool, else its type, else its first character."""
    for name in ("tool", "type"):
        value = node.value_of(name)
        if value is not None:
            return value.start, value.end
    return node.start, node.start + 1

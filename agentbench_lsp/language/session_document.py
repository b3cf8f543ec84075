"""A session of an agent, as it was recorded: seen as the trajectory that it would be imported to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.language.trajectory_document import StepView, TrajectoryDocument
from agentbench_lsp.runner.trajectory import Trajectory
from agentbench_lsp.syntax.nodes import Node, ObjectNode


@dataclass(frozen=True)
class SessionDocument(TrajectoryDocument):
    """Its steps stand on the lines they were recorded on; it has no fields that an author could edit.

    A file of several sessions has no steps: it is not one run.
    """

    @cached_property
    def sessions(self) -> tuple[Session, ...]:
        """What it is imported to; nothing where it cannot be read."""
        return self.around.sessions(self.document)

    @property
    def root_object(self) -> ObjectNode | None:
        return None

    def field(self, name: str) -> Node | None:
        return None

    @cached_property
    def recording(self) -> Trajectory:
        return self.sessions[0].trajectory if len(self.sessions) == 1 else Trajectory([])

    @cached_property
    def steps(self) -> list[StepView]:
        return [StepView(self._node(step.raw), step) for step in self.recording.steps]

    def _node(self, raw: dict[str, object]) -> ObjectNode:
        """The line of a step; the first one for those of other files."""
        source = raw.get("source")
        line = source.get("line") if isinstance(source, dict) and "file" not in source else None
        lines = self.document.lines
        number = min(line - 1 if isinstance(line, int) else 0, len(lines.starts) - 1)
        return ObjectNode(lines.starts[number], lines.line_end(number))

    def range_of_step(self, step: int) -> tuple[int, int]:
        return self.steps[step].head if step < len(self.steps) else (0, 0)

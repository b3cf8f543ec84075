"""An imported session: its trajectory, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

from agentbench_lsp.runner.trajectory import Trajectory

EditState = Literal["applied", "failed", "unsupported"]


class StepNote(NamedTuple):
    """Something to know about a step."""

    step: int
    what: str
    reason: str


@dataclass
class Fidelity:
    """How much of a run its trajectory replays. Counts are of calls that edit; `applied` includes those outside.

    `checked` and `files` count files that were edited: those whose replayed bytes equal what the recording says the
    agent left, and all of them. `final_diff`: the run ends with a diff, which counts over its steps.
    """

    steps: int = 0
    applied: int = 0
    failed: int = 0
    unsupported: list[StepNote] = field(default_factory=list)
    outside: list[StepNote] = field(default_factory=list)
    files: int = 0
    checked: int = 0
    differing: list[str] = field(default_factory=list)
    commands: list[StepNote] = field(default_factory=list)
    drifted: list[StepNote] = field(default_factory=list)
    final_diff: bool = False

    def as_json(self) -> dict[str, Any]:
        """The summary as plain data."""

        def notes(found: list[StepNote]) -> list[dict[str, Any]]:
            return [note._asdict() for note in found]

        names = ("unsupported", "outside", "commands", "drifted")
        return {**asdict(self), **{name: notes(getattr(self, name)) for name in names}}

    def summary(self) -> str:
        """In a line."""
        unsupported, commands = len(self.unsupported), len(self.commands)
        return (
            f"edits: {self.applied} applied, {self.failed} failed, {unsupported} unsupported; "
            f"files byte-checked: {self.checked} of {self.files}; "
            f"commands that may have changed files: {commands}" + ("; final diff: applied" if self.final_diff else "")
        )


@dataclass
class Session:
    """What an importer made of a recording. `originals`: files by workspace path, as the agent found them.

    `seen` are those that the agent only read. `instance` names it where a file holds several.
    """

    format: str
    instance: str
    document: dict[str, Any]
    fidelity: Fidelity
    originals: dict[str, bytes]
    seen: frozenset[str]
    prompt: str = ""
    warnings: list[str] = field(default_factory=list)

    @property
    def trajectory(self) -> Trajectory:
        """The steps as replay reads them."""
        return Trajectory.from_dict(self.document)

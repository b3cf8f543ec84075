"""Trajectories: the recorded steps of an agent (seed: `agentbench.runner.trajectory`)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from agentbench_lsp.models.paths import fold, is_absolute, relative_to_root
from agentbench_lsp.runner.edits.base import FileEdit, NotAppliedError, UnsupportedEditError
from agentbench_lsp.runner.edits.reading import PATH_ARGS, first_text, looks_only, read_edits
from agentbench_lsp.runner.edits.removal import Move, Removal
from agentbench_lsp.runner.tools import COMMAND_TOOLS, NETWORK_TOOLS, WRITE_TOOLS

COMMAND_ARGS = ("command", "cmd", "commands", "keystrokes")
_FAILED_STATUS = frozenset({"failed", "error"})


@dataclass(frozen=True)
class TrajectoryStep:
    """One step, as recorded. `raw` is its JSON object; `args` is `{}` where the step has none."""

    index: int
    raw: dict[str, Any]

    @cached_property
    def args(self) -> dict[str, Any]:
        args = self.raw.get("args")
        return args if isinstance(args, dict) else {}

    @property
    def tool(self) -> str | None:
        tool = self.raw.get("tool")
        return tool if isinstance(tool, str) else None

    @cached_property
    def is_write(self) -> bool:
        """It edits files: by its tool, by `"type": "file_edit"`, or because it says `edits`."""
        if isinstance(self.raw.get("edits"), list):
            return True
        return (self.tool in WRITE_TOOLS or self.raw.get("type") == "file_edit") and not looks_only(self.args)

    @property
    def is_command(self) -> bool:
        """It runs a shell command: by its tool, or `"type": "command"`."""
        return self.tool in COMMAND_TOOLS or self.raw.get("type") == "command"

    @property
    def is_network(self) -> bool:
        """Its tool reaches for the network, whatever its arguments are."""
        return self.tool in NETWORK_TOOLS

    @cached_property
    def path(self) -> str | None:
        """The path as recorded: of the arguments, else of the first edit."""
        return first_text(self.args, PATH_ARGS) or next(iter(self.paths), None)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every path that the step edits, as recorded; empty where the edits cannot be read."""
        try:
            edits = self.read_edits() if self.is_write else ()
        except NotAppliedError:
            path = first_text(self.args, PATH_ARGS)
            return (path,) if path else ()
        return tuple(dict.fromkeys(path for edit in edits for path in (edit.path, edit.target)))

    def read_edits(self) -> tuple[FileEdit, ...]:
        """What the step does to files: its `edits` where it has them, else what the call says.

        Raises NotAppliedError where that cannot be read.
        """
        if isinstance(self._read, NotAppliedError):
            raise self._read
        return self._read

    @cached_property
    def _read(self) -> tuple[FileEdit, ...] | NotAppliedError:
        recorded = self.raw.get("edits")
        try:
            if not isinstance(recorded, list):
                return tuple(_called(self.tool, self.args))
            if not all(isinstance(edit, dict) for edit in recorded):
                raise NotAppliedError("its edits are no list of objects")
            return tuple(edit for each in recorded for edit in read_edits(each))
        except NotAppliedError as exc:
            return exc

    @cached_property
    def command(self) -> str | None:
        """The command's text, None where there is none. A list of words (argv) is quoted into one."""
        for name in COMMAND_ARGS:
            value = self.args.get(name)
            if isinstance(value, str) and value:
                return value
            if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
                return "\n".join(value) if name == "commands" else shlex.join(value)
        return None

    @property
    def cwd(self) -> str | None:
        """The folder that relative paths of the step are below, where it is not the workspace."""
        cwd = self.raw.get("cwd")
        return cwd if isinstance(cwd, str) and cwd else None

    @property
    def source_line(self) -> int | None:
        """Line of the session that the step was imported from, counted from 1."""
        source = self.raw.get("source")
        line = source.get("line") if isinstance(source, dict) else None
        return line if isinstance(line, int) and line > 0 else None

    @property
    def failure(self) -> str | None:
        """How the recording says that the call failed, or None. A failed call changed nothing."""
        for place in (self.raw, self.raw.get("result")):
            if not isinstance(place, dict):
                continue
            if place.get("error"):
                return "error"
            if place.get("is_error") is True:
                return "is_error: true"
            if place.get("success") is False:
                return "success: false"
            status = place.get("status")
            if isinstance(status, str) and status.lower() in _FAILED_STATUS:
                return f"status: {status}"
        return None


@dataclass
class Trajectory:
    """The steps of one agent run. `root` makes absolute paths relative; it is `metadata.cwd` where that is given."""

    steps: list[TrajectoryStep]
    metadata: dict[str, Any] = field(default_factory=dict)
    root: str | None = None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Trajectory:
        """The trajectory in a JSON object, not validated: a step that is no object counts as an empty one."""
        metadata = data.get("metadata")
        metadata = dict(metadata) if isinstance(metadata, dict) else {}
        steps = [TrajectoryStep(i, s if isinstance(s, dict) else {}) for i, s in enumerate(data["steps"])]
        cwd = metadata.get("cwd")
        return cls(steps, metadata, cwd if isinstance(cwd, str) and cwd else None)

    @classmethod
    def from_file(cls, path: str | Path) -> Trajectory:
        """The validated trajectory in a file.

        Raises OSError, UnicodeDecodeError, json.JSONDecodeError, and `dsl.ValidationError` with every error.
        """
        from agentbench_lsp.dsl.loading import load_trajectory_document

        return cls.from_dict(load_trajectory_document(path))

    def with_root(self, root: str | None) -> Trajectory:
        """The same steps with absolute paths taken relative to `root`."""
        return self if root == self.root else replace(self, root=root)

    def relative(self, path: str) -> str:
        """`path` as this trajectory's edits spell it: folded, relative; `../…` where it is outside."""
        if path.startswith(("~/", "~\\")):
            return "../" + fold(path)  # somebody's home
        return relative_to_root(path, self.root)

    def locate(self, step: TrajectoryStep, path: str) -> str:
        """`relative`, for a path that a step names, which may be below the step's `cwd`."""
        if step.cwd is None or is_absolute(path) or path.startswith("~"):
            return self.relative(path)
        return self.relative(f"{step.cwd}/{path}")

    def file_edits(self) -> list[tuple[int, str, str]]:
        """`(step index, normalised path, text)` of every write that happened and has text, in order.

        The text is the file's new content, or what the edit put into it.
        """
        return [(index, path, text) for index, path, text in self._writes if text is not None]

    @cached_property
    def _writes(self) -> tuple[tuple[int, str, str | None], ...]:
        found: list[tuple[int, str, str | None]] = []
        for step in self.steps:
            if not step.is_write or step.failure:
                continue
            try:
                edits = step.read_edits()
            except NotAppliedError:
                continue
            for edit in edits:
                paths = dict.fromkeys((self.locate(step, edit.target), self.locate(step, edit.path)))
                found += [(step.index, path, edit.text if i == 0 else None) for i, path in enumerate(paths) if path]
        return tuple(found)

    def touched_file(self, path: str) -> bool:
        """True if any step wrote, moved or deleted `path`, whatever its spelling."""
        return self.relative(path) in self._touched or fold(path) in self._touched

    @cached_property
    def _touched(self) -> frozenset[str]:
        return frozenset(path for _, path, _ in self._writes)

    def commands(self) -> list[tuple[int, str]]:
        """`(step index, command text)` of every shell step that has a command."""
        return [(step.index, step.command) for step in self.steps if step.is_command and step.command is not None]

    def find_network_violations(self, patterns: Iterable[str]) -> list[dict[str, Any]]:
        """Steps whose JSON holds a pattern (substring, any case): `{"step_index", "tool", "match"}`, one a step.

        The first pattern of the list that is found is the step's match. The step is read as JSON with `, ` and
        `: ` between its items, once with and once without `\\u` escapes.
        """
        wanted = [(pattern, pattern.lower()) for pattern in patterns]
        found: list[dict[str, Any]] = []
        for step in self.steps:
            texts = (json.dumps(step.raw).lower(), json.dumps(step.raw, ensure_ascii=False).lower())
            for pattern, needle in wanted:
                if needle in texts[0] or needle in texts[1]:
                    found.append({"step_index": step.index, "tool": step.raw.get("tool"), "match": pattern})
                    break
        return found


def _called(tool: str | None, args: Mapping[str, Any]) -> list[FileEdit]:
    """The edits of a call; these tools' names say what their arguments do not."""
    if tool == "insert_edit_into_file":
        raise UnsupportedEditError("insert_edit_into_file is not replayed: its code leaves out what stays as it is")
    path = first_text(args, (*PATH_ARGS, "source"))
    if tool == "delete_file" and path is not None:
        return [Removal(path)]
    if tool == "move_file" and path is not None:
        target = first_text(args, ("move_to", "new_path", "destination"))
        if target is None:
            raise NotAppliedError("the step does not say where the file goes (args.move_to)")
        return [Move(path, target)]
    return read_edits(args)

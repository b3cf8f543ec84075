"""Trajectories: the recorded steps of an agent (seed: `agentbench.runner.trajectory`)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from agentbench_lsp.models.paths import fold, relative_to_root

WRITE_TOOLS = frozenset({"write_file", "edit_file", "str_replace", "Write", "StrReplace"})
COMMAND_TOOLS = frozenset({"run_command", "shell", "bash", "Bash", "execute"})
PATH_ARGS = ("path", "file_path", "target_file")  # first non-empty wins
COMMAND_ARGS = ("command", "cmd")
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

    @property
    def is_write(self) -> bool:
        """A write tool of the seed's list, or `"type": "file_edit"`."""
        return self.tool in WRITE_TOOLS or self.raw.get("type") == "file_edit"

    @property
    def is_command(self) -> bool:
        """A command tool of the seed's list, or `"type": "command"`."""
        return self.tool in COMMAND_TOOLS or self.raw.get("type") == "command"

    @property
    def path(self) -> str | None:
        """The path as recorded: the first non-empty text of `path`, `file_path`, `target_file`."""
        return _first_text(self.args, PATH_ARGS)

    @cached_property
    def command(self) -> str | None:
        """The command's text, None where there is none. A list of words (argv) is quoted into one."""
        for name in COMMAND_ARGS:
            value = self.args.get(name)
            if isinstance(value, str) and value:
                return value
            if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
                return shlex.join(value)
        return None

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
        return relative_to_root(path, self.root)

    def file_edits(self) -> list[tuple[int, str, str]]:
        """`(step index, normalised path, content)` of every write that happened and has text content, in order."""
        return list(self._file_edits)

    @cached_property
    def _file_edits(self) -> tuple[tuple[int, str, str], ...]:
        edits: list[tuple[int, str, str]] = []
        for step in self.steps:
            if not step.is_write or step.path is None or step.failure:
                continue
            content = step_content(step.args)
            if content is not None and (path := self.relative(step.path)):
                edits.append((step.index, path, content))
        return tuple(edits)

    def touched_file(self, path: str) -> bool:
        """True if any step wrote to `path`, whatever its spelling."""
        return self.relative(path) in self._touched or fold(path) in self._touched

    @cached_property
    def _touched(self) -> frozenset[str]:
        return frozenset(path for _, path, _ in self._file_edits)

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


def step_content(args: Mapping[str, Any]) -> str | None:
    """The seed's content of a write: `content`, else `new_string` (or `new_str`); None where neither is text."""
    return _first_text(args, ("content", "new_string", "new_str"), allow_empty=True)


def _first_text(args: Mapping[str, Any], names: Iterable[str], allow_empty: bool = False) -> str | None:
    for name in names:
        value = args.get(name)
        if isinstance(value, str) and (value or allow_empty):
            return value
    return None

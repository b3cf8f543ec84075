"""Tasks, oracles and results (seed: `agentbench.models.task`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Oracle:
    """One check of a task: its type and whatever else stood in its JSON object."""

    type: str
    params: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Oracle:
        """The oracle in a JSON object. Raises KeyError where `type` is missing."""
        return cls(data["type"], {key: value for key, value in data.items() if key != "type"})


@dataclass
class EvalTask:
    """A task document. `workspace` maps relative paths to file contents."""

    id: str
    name: str
    description: str
    prompt: str
    workspace: dict[str, str]
    oracles: list[Oracle]
    tags: list[str] = field(default_factory=list)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EvalTask:
        """The task in a JSON object, not validated. Raises KeyError where a required field is missing."""
        return cls(
            id=data["id"],
            name=data["name"],
            description=data["description"],
            prompt=data["prompt"],
            workspace=dict(data["workspace"]),
            oracles=[Oracle.from_dict(oracle) for oracle in data["oracles"]],
            tags=list(data.get("tags") or []),
        )

    def oracle(self, index: int) -> Oracle:
        """The oracle at an index. Raises IndexError with what there is."""
        if not 0 <= index < len(self.oracles):
            raise IndexError(f"the task has no oracle {index}; it has {len(self.oracles)}, counted from 0")
        return self.oracles[index]

    @classmethod
    def from_file(cls, path: str | Path) -> EvalTask:
        """The validated task in a file, which may name the custom oracles of its project.

        Raises OSError, UnicodeDecodeError, json.JSONDecodeError, `dsl.ValidationError` with every error, and
        `dsl.project.ProjectError`.
        """
        from agentbench_lsp.dsl.loading import load_task_document

        return cls.from_dict(load_task_document(path))


@dataclass
class OracleResult:
    """What one oracle found.

    `details` keys: `warnings` (list of text) anywhere, `blame` (see `gate.blame`) where it failed, `baseline` (see
    `gate.baseline`) in a baseline; `exit_code`, `timed_out`, `outcome`, `stdout`, `stderr`, `truncated`, `telling`,
    `command_run`, `sandbox`, `passes_untouched` for commands; `violations` for `no_network`; `path`, `pattern`,
    `diff`, `was`, `became`, `nearest` for file and regex oracles.
    """

    oracle_type: str
    passed: bool
    message: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    index: int = 0  # position in `task.oracles`
    seconds: float = 0.0


@dataclass
class RunResult:
    """The verdict on one task. `error` says why there is none; `passed` is then False."""

    task_id: str
    passed: bool
    oracle_results: list[OracleResult] = field(default_factory=list)
    workspace_path: Path | None = None  # only with keep_workspace
    task_file: str | None = None
    error: str | None = None
    baseline: bool = False  # evaluated without any step

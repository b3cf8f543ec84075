"""Short ways to write tasks and trajectories in tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agentbench_lsp.models.task import EvalTask, OracleResult
from agentbench_lsp.runner.trajectory import Trajectory


def task_dict(*oracles: dict[str, Any], workspace: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A valid task document with these oracles (default: one `no_network`)."""
    document = {
        "id": "t",
        "name": "n",
        "description": "d",
        "prompt": "p",
        "workspace": workspace or {"a.txt": "alpha\n"},
    }
    return {**document, "oracles": list(oracles) or [{"type": "no_network"}], **more}


def task(*oracles: dict[str, Any], workspace: dict[str, Any] | None = None) -> EvalTask:
    return EvalTask.from_dict(task_dict(*oracles, workspace=workspace))


def trajectory(*steps: dict[str, Any], **metadata: Any) -> Trajectory:
    return Trajectory.from_dict({"metadata": metadata, "steps": list(steps)})


def write(path: str, content: Any, **step: Any) -> dict[str, Any]:
    return {"type": "tool_call", "tool": "write_file", "args": {"path": path, "content": content}, **step}


def replace(path: str, old: str, new: str, **args: Any) -> dict[str, Any]:
    return {
        "type": "tool_call",
        "tool": "str_replace",
        "args": {"path": path, "old_string": old, "new_string": new, **args},
    }


def bash(command: str, **step: Any) -> dict[str, Any]:
    return {"type": "tool_call", "tool": "bash", "args": {"command": command}, **step}


def must_pass(command: str, **params: Any) -> dict[str, Any]:
    return {"type": "test_must_pass", "command": command, **params}


def unmodified(path: str) -> dict[str, Any]:
    return {"type": "file_not_modified", "path": path}


def exists(path: str, pattern: str) -> dict[str, Any]:
    return {"type": "assertion_exists", "path": path, "pattern": pattern}


def evaluate(oracle: dict[str, Any], *steps: dict[str, Any], workspace: dict[str, Any] | None = None) -> OracleResult:
    """The result of one oracle after some steps."""
    from agentbench_lsp.gate.evaluator import Evaluator

    return Evaluator().evaluate(task(oracle, workspace=workspace), trajectory(*steps)).oracle_results[0]


def save(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path

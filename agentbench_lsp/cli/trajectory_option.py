"""The `--trajectory` option and what it loads."""

from __future__ import annotations

from pathlib import Path

from agentbench_lsp.cli.output import fail
from agentbench_lsp.gate import task_files
from agentbench_lsp.runner.trajectory import Trajectory


def load_trajectory(path: Path) -> Trajectory:
    """The trajectory in a file; ends the command with exit code 2 and the reason where there is none."""
    try:
        return Trajectory.from_file(path)
    except task_files.UNREADABLE as exc:
        raise fail(f"the trajectory {path} cannot be used: {task_files.say(exc)}") from None

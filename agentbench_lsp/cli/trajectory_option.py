"""The `--trajectory` option, with `--instance` for files of several sessions, and what they load."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from agentbench_lsp.cli.output import fail
from agentbench_lsp.gate import task_files
from agentbench_lsp.runner.trajectory import Trajectory


@dataclass(frozen=True)
class Recording:
    """The file of a recorded run, and which of its sessions is meant."""

    path: Path
    instance: str | None

    def load(self) -> Trajectory:
        """The trajectory; ends the command with exit code 2 and the reason where there is none."""
        from agentbench_lsp.gate.recordings import load_recording

        try:
            return load_recording(self.path, instance=self.instance)
        except task_files.UNREADABLE as exc:
            raise fail(f"the trajectory {self.path} cannot be used: {task_files.say(exc)}") from None


def trajectory_option(required: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds `--trajectory` and `--instance`; the command gets them as `recording: Recording | None`."""
    file = click.option(
        "--trajectory",
        "trajectory_path",
        required=required,
        type=click.Path(path_type=Path),
        help="Recorded run: a trajectory, or the session of an agent.",
    )
    instance = click.option("--instance", metavar="ID", help="Which session, where a file holds several.")

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def with_recording(trajectory_path: Path | None, instance: str | None, **options: Any) -> None:
            command(recording=Recording(trajectory_path, instance) if trajectory_path else None, **options)

        return file(instance_option(with_recording))

    instance_option = instance
    return decorate

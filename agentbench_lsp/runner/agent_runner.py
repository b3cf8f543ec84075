"""Workspaces on disk: only what needs a real folder gets one (seed: `agentbench.runner.agent_runner`)."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from agentbench_lsp.models.paths import escapes, fold, unusable
from agentbench_lsp.models.task import EvalTask
from agentbench_lsp.runner.replay import Replay, replay
from agentbench_lsp.runner.signals import deferred_signals
from agentbench_lsp.runner.trajectory import Trajectory

_PREFIX = "agentbench-"


class AgentRunner:
    """Materialises a task's workspace and replays a trajectory onto it."""

    def replay(self, task: EvalTask, trajectory: Trajectory) -> Replay:
        """The replayed workspace in memory."""
        return replay(task.workspace, trajectory)

    def run(self, task: EvalTask, trajectory: Trajectory) -> Path:
        """The replayed workspace in a fresh temporary folder, which the caller removes."""
        return materialise(self.replay(task, trajectory).files)


def materialise(files: Mapping[str, bytes]) -> Path:
    """Write `files` into a fresh temporary folder and return its path. Bytes stay bytes.

    Raises OSError where the disk refuses; the folder is then removed.
    """
    # In a folder of its own, so that a command that writes `../x` lands in nobody's temporary folder.
    root = Path(tempfile.mkdtemp(prefix=_PREFIX)) / "workspace"
    try:
        root.mkdir()
        for path, content in files.items():
            target = _safe_join(root, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    except BaseException:
        remove_workspace(root)
        raise
    return root


def _safe_join(root: Path, path: str) -> Path:
    folded = fold(path)
    if escapes(folded) or unusable(folded) or (os.name == "nt" and ":" in folded):
        raise OSError(f"{path!r} cannot be a file of the workspace")
    return root.joinpath(*folded.split("/"))


@contextmanager
def materialised(files: Mapping[str, bytes]) -> Iterator[Path]:
    """`materialise`, removed at the end whatever a command made of it."""
    root = None
    try:
        with deferred_signals():
            root = materialise(files)
        yield root
    finally:
        if root is not None:
            remove_workspace(root)


def remove_workspace(root: Path) -> None:
    """Remove a folder made by `materialise`, read-only entries included."""
    holder = root.parent

    def make_writable(function: object, path: str, _error: object) -> None:
        for target in (Path(path).parent, Path(path)):
            if target.is_relative_to(holder) and not target.is_symlink() and target.exists():
                target.chmod(target.stat().st_mode | stat.S_IRWXU)
        if Path(path).is_dir() and not Path(path).is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            Path(path).unlink(missing_ok=True)

    if holder.name.startswith(_PREFIX):
        shutil.rmtree(holder, onerror=make_writable)

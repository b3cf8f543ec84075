"""Replay: a workspace in memory, and what a trajectory makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from agentbench_lsp.models.paths import absolute_parts, escapes, fold, is_absolute, unusable
from agentbench_lsp.runner.edits import EditReport, Files, apply_step
from agentbench_lsp.runner.trajectory import Trajectory


class Applied(NamedTuple):
    """A step that changed files, and which; `files` are all of them after it."""

    step: int
    paths: tuple[str, ...]
    files: Files


@dataclass
class Replay:
    """The workspace before and after the agent, and a report for each file that a step edits."""

    initial: Files
    files: Files
    trajectory: Trajectory  # with the root that was used
    reports: list[EditReport] = field(default_factory=list)
    inferred_root: str | None = None

    def edits(self, last: int | None = None) -> Iterator[Applied]:
        """Each step whose edits applied, up to step `last`. Its `files` are one dictionary, which the next changes."""
        files = dict(self.initial)
        applied: dict[int, list[str]] = {}
        for report in self.reports:
            if report.status == "applied" and (last is None or report.step <= last):
                applied.setdefault(report.step, []).append(report.path)
        for step, paths in applied.items():
            apply_step(files, self.trajectory.steps[step], self.trajectory, self.initial)
            yield Applied(step, tuple(dict.fromkeys(paths)), files)


def workspace_files(workspace: Mapping[str, str]) -> Files:
    """Workspace contents by folded path. Keys that no file can have, or that leave the workspace, are left out."""
    files: Files = {}
    for key, content in workspace.items():
        path = fold(key)
        if not escapes(path) and not unusable(path):
            files[path] = content.encode("utf-8", "surrogatepass")
    return files


def replay(workspace: Mapping[str, str], trajectory: Trajectory) -> Replay:
    """Apply the trajectory's edits, in order, to the workspace. Nothing on disk is touched."""
    return replay_files(workspace_files(workspace), trajectory)


def replay_files(initial: Mapping[str, bytes], trajectory: Trajectory) -> Replay:
    """`replay`, for files that are given as bytes by folded path."""
    guessed = trajectory.root is None or trajectory.metadata.get("cwd_guessed") is True
    inferred = infer_root(initial, trajectory) if guessed else None
    rooted = trajectory.with_root(inferred) if inferred else trajectory
    result = Replay(dict(initial), dict(initial), rooted, inferred_root=inferred)
    for step in rooted.steps:
        result.reports += apply_step(result.files, step, rooted, result.initial)
    return result


def infer_root(files: Mapping[str, bytes], trajectory: Trajectory) -> str | None:
    """The folder that absolute edit paths are below, judged by the workspace files they end in.

    Recordings without `metadata.cwd` log `/home/me/proj/src/app.py` for the workspace's `src/app.py`. Each
    absolute path votes for the root that makes it the longest workspace path. None where no path tells.
    """
    votes: Counter[str] = Counter()
    for step in trajectory.steps:
        for path in filter(is_absolute, step.paths):
            parts = absolute_parts(path)
            for cut in range(len(parts)):
                if "/".join(parts[cut:]) in files:
                    votes["/" + "/".join(parts[:cut])] += 1
                    break
    if not votes:
        return None
    best = max(votes.values())
    return min((root for root, count in votes.items() if count == best), key=lambda root: (len(root), root))

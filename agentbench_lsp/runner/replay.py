"""Replay: a workspace in memory, and what a trajectory makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from agentbench_lsp.models.paths import absolute_parts, escapes, fold, is_absolute, unusable
from agentbench_lsp.runner.edits import EditReport, Files, apply_step
from agentbench_lsp.runner.trajectory import Trajectory


@dataclass
class Replay:
    """The workspace before and after the agent, and a report for each of its write steps."""

    initial: Files
    files: Files
    trajectory: Trajectory  # with the root that was used
    reports: list[EditReport] = field(default_factory=list)
    inferred_root: str | None = None

    def edits(self, last: int | None = None) -> Iterator[tuple[EditReport, Files]]:
        """Each edit that applied, up to step `last`, and the files after it: one dictionary, which the next changes."""
        files = dict(self.initial)
        for report in self.reports:
            if report.status == "applied" and (last is None or report.step <= last):
                apply_step(files, self.trajectory.steps[report.step], self.trajectory)
                yield report, files


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
    initial = workspace_files(workspace)
    inferred = infer_root(initial, trajectory) if trajectory.root is None else None
    rooted = trajectory.with_root(inferred) if inferred else trajectory
    result = Replay(initial, dict(initial), rooted, inferred_root=inferred)
    for step in rooted.steps:
        if report := apply_step(result.files, step, rooted):
            result.reports.append(report)
    return result


def infer_root(files: Mapping[str, bytes], trajectory: Trajectory) -> str | None:
    """The folder that absolute edit paths are below, judged by the workspace files they end in.

    Recordings without `metadata.cwd` log `/home/me/proj/src/app.py` for the workspace's `src/app.py`. Each
    absolute path votes for the root that makes it the longest workspace path. None where no path tells.
    """
    votes: Counter[str] = Counter()
    for step in trajectory.steps:
        if not step.is_write or step.path is None or not is_absolute(step.path):
            continue
        parts = absolute_parts(step.path)
        for cut in range(len(parts)):
            if "/".join(parts[cut:]) in files:
                votes["/" + "/".join(parts[:cut])] += 1
                break
    if not votes:
        return None
    best = max(votes.values())
    return min((root for root, count in votes.items() if count == best), key=lambda root: (len(root), root))

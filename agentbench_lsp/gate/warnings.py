"""What a verdict should be read with: edits that did not apply, commands that may have changed a protected file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.oracles.base import OracleSpec, path_params
from agentbench_lsp.runner.replay import Replay
from agentbench_lsp.runner.shell_risk import may_change
from agentbench_lsp.runner.trajectory import TrajectoryStep

_EDIT_ARGS = frozenset({"content", "new_string", "new_str", "edits", "patch", "diff"})
_SHOWN = 3  # warnings of one kind and file; more of them say nothing new


def replay_warnings(replayed: Replay, oracle: Oracle, spec: OracleSpec | None) -> list[str]:
    """Warnings for one oracle: those of the files it names, and those of the replay as a whole."""
    if spec is not None and spec.params == ():
        return []  # it judges the steps, not the files
    found = list(_whole(replayed))
    for path in path_params(oracle, spec):
        found += _of_file(replayed, path)
    if spec is None or spec.params is None or any(p.kind == "command" for p in spec.params):
        found += list(_edit_warnings(replayed, None))[:_SHOWN]
    return found


def with_untouched(result: OracleResult, passes: bool | None) -> OracleResult:
    """A command's result, once it is known whether the command passes before the agent does anything."""
    if passes is None:
        return result
    details = {**result.details, "passes_untouched": passes}
    if passes:
        told = "the command passes on the untouched workspace too, so it does not tell what the agent did"
        details["warnings"] = [*details.get("warnings", ()), told]
    return replace(result, details=details)


def _whole(replayed: Replay) -> Iterator[str]:
    if replayed.inferred_root is not None:
        yield (
            f"the trajectory has no metadata.cwd; {replayed.inferred_root} was taken as the workspace,"
            " because absolute paths of its edits end in workspace files"
        )


def _of_file(replayed: Replay, path: str) -> list[str]:
    return list(_edit_warnings(replayed, path))[:_SHOWN] + list(_step_warnings(replayed, path))[:_SHOWN]


def _edit_warnings(replayed: Replay, path: str | None) -> Iterator[str]:
    name = path.rpartition("/")[2] if path else None
    for report in replayed.reports:
        outside = report.status == "outside-workspace" and (name is None or report.path.endswith("/" + name))
        if report.status == "recorded-as-failed" or not (outside or path is None or report.path == path):
            continue
        if report.status == "applied" and not report.reason:
            continue
        if path is None and report.status == "not-applied" and report.path not in replayed.initial:
            continue  # a gate's one trajectory edits files of other tasks too
        verb = "applied" if report.status == "applied" else "was not applied"
        yield f"step {report.step}: the edit of {report.path} {verb}: {report.reason}"


def _step_warnings(replayed: Replay, path: str) -> Iterator[str]:
    trajectory = replayed.trajectory
    for step in trajectory.steps:
        if step.is_command:
            if step.command and not step.failure and may_change(step.command, path):
                yield f"step {step.index}: the command may have changed {path}; replay does not run commands"
        elif _is_unknown_edit(step) and step.path is not None and trajectory.relative(step.path) == path:
            yield f"step {step.index}: the tool {step.tool!r} looks like an edit of {path}; replay does not know it"


def _is_unknown_edit(step: TrajectoryStep) -> bool:
    known = step.is_write or step.tool is None or step.failure
    return not known and not _EDIT_ARGS.isdisjoint(step.args)

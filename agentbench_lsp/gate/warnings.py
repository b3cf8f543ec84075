"""What a verdict should be read with: edits that did not apply, commands that may have changed a protected file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice

from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.oracles.base import OracleSpec, path_params
from agentbench_lsp.runner.edits import EditReport
from agentbench_lsp.runner.edits.reading import TEXT_ARGS
from agentbench_lsp.runner.replay import Replay
from agentbench_lsp.runner.shell_risk import changes_files, may_change
from agentbench_lsp.runner.trajectory import TrajectoryStep

_SHOWN = 3  # warnings of one kind and file; more of them say nothing new


class ReplayWarnings:
    """What a replay has to say to the oracles of a task; its steps are looked through once."""

    def __init__(self, replayed: Replay) -> None:
        self._replayed = replayed

    def of(self, oracle: Oracle, spec: OracleSpec | None) -> list[str]:
        """Warnings for one oracle: those of the files it names, and those of the replay as a whole."""
        if spec is not None and spec.params == ():
            return []  # it judges the steps, not the files
        found = list(self._whole())
        for path in path_params(oracle, spec):
            found += [*islice(self._edits(path), _SHOWN), *islice(self._steps(path), _SHOWN)]
        if spec is None or spec.params is None or any(p.kind == "command" for p in spec.params):
            found += islice(self._edits(None), _SHOWN)
        return found

    def _whole(self) -> Iterator[str]:
        if self._replayed.inferred_root is not None:
            yield (
                f"the trajectory has no metadata.cwd; {self._replayed.inferred_root} was taken as the workspace,"
                " because absolute paths of its edits end in workspace files"
            )

    @cached_property
    def _troubled(self) -> list[EditReport]:
        """Edits that did not apply, or not as recorded."""
        reports = self._replayed.reports
        return [r for r in reports if r.status != "recorded-as-failed" and (r.status != "applied" or r.reason)]

    def _edits(self, path: str | None) -> Iterator[str]:
        name = path.rpartition("/")[2] if path else None
        for report in self._troubled:
            outside = report.status == "outside-workspace" and (name is None or report.path.endswith("/" + name))
            if not (outside or path is None or report.path == path):
                continue
            if path is None and report.status == "not-applied" and report.path not in self._replayed.initial:
                continue  # a gate's one trajectory edits files of other tasks too
            verb = "applied" if report.status == "applied" else "was not applied"
            yield f"step {report.step}: the edit of {report.path} {verb}: {report.reason}"

    @cached_property
    def _doubtful(self) -> list[TrajectoryStep]:
        """Commands that may have changed some file, and calls of tools that look like an edit."""
        return [step for step in self._replayed.trajectory.steps if _is_doubtful(step)]

    def _steps(self, path: str) -> Iterator[str]:
        trajectory = self._replayed.trajectory
        for step in self._doubtful:
            if step.is_command:
                if step.command and may_change(step.command, path):
                    yield f"step {step.index}: the command may have changed {path}; replay does not run commands"
            elif step.path is not None and trajectory.locate(step, step.path) == path:
                yield f"step {step.index}: the tool {step.tool!r} looks like an edit of {path}; replay does not know it"


def _is_doubtful(step: TrajectoryStep) -> bool:
    if step.is_command:
        edits = isinstance(step.raw.get("edits"), list)  # an import has found out what the command did
        return bool(step.command) and not step.failure and not edits and changes_files(step.command or "")
    known = step.is_write or step.tool is None or step.failure
    return not known and step.path is not None and not TEXT_ARGS.isdisjoint(step.args)


def with_untouched(result: OracleResult, passes: bool | None) -> OracleResult:
    """A command's result, once it is known whether the command passes before the agent does anything."""
    if passes is None:
        return result
    details = {**result.details, "passes_untouched": passes}
    if passes:
        told = "the command passes on the untouched workspace too, so it does not tell what the agent did"
        details["warnings"] = [*details.get("warnings", ()), told]
    return replace(result, details=details)

"""Which step of the agent a failed oracle is about."""

from __future__ import annotations

from agentbench_lsp.models.paths import fold
from agentbench_lsp.models.task import EvalTask, Oracle, OracleResult
from agentbench_lsp.oracles.base import FileOracle, OracleContext, get_oracle, registered_specs
from agentbench_lsp.runner.edits import apply_step
from agentbench_lsp.runner.replay import Replay, replay
from agentbench_lsp.runner.trajectory import Trajectory


def blamed_step(task: EvalTask, trajectory: Trajectory, result: OracleResult, regex_seconds: float = 5.0) -> int | None:
    """Index of the step after which the oracle no longer passed.

    Where the oracle judges steps, the first one it names. Where it never passed, or cannot be judged step by step,
    the last edit of its file, or of any file if it names none. None where no step can be named.
    """
    violations = result.details.get("violations")
    if violations:
        return int(violations[0]["step_index"])
    oracle = task.oracles[result.index]
    replayed = replay(task.workspace, trajectory)
    path = oracle.params.get("path")
    target = fold(path) if isinstance(path, str) else None
    edits = [r.step for r in replayed.reports if r.status == "applied" and target in (None, r.path)]
    check = get_oracle(oracle.type) if oracle.type in registered_specs() else None
    if isinstance(check, FileOracle) and edits:
        turned = _turning_step(check, oracle, task, replayed, edits, regex_seconds)
        return edits[-1] if turned is None else turned
    return edits[-1] if edits else None


def _turning_step(
    check: FileOracle, oracle: Oracle, task: EvalTask, replayed: Replay, edits: list[int], seconds: float
) -> int | None:
    """The first step of the stretch at the end in which the oracle fails; None where it never passed."""
    files, wanted = dict(replayed.initial), set(edits)

    def passes() -> bool:
        context = OracleContext(files, regex_seconds=seconds)
        return check.check_files(oracle, context, replayed.trajectory, task.workspace).passed

    good, turned = passes(), None
    for step in replayed.trajectory.steps:
        apply_step(files, step, replayed.trajectory)
        if step.index in wanted:
            before, good = good, passes()
            if before and not good:
                turned = step.index
    return turned

"""What a failed oracle is about: the step of the agent that broke it, and the param that says most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from agentbench_lsp.models.paths import fold
from agentbench_lsp.models.task import EvalTask, Oracle, OracleResult
from agentbench_lsp.oracles.base import (
    FileOracle,
    OracleContext,
    OracleSpec,
    ParamKind,
    find_oracle,
    path_params,
)
from agentbench_lsp.runner.edits import Files, apply_step
from agentbench_lsp.runner.replay import Replay

_TELLING: tuple[ParamKind, ...] = ("regex", "workspace_path", "command")


class Blame(NamedTuple):
    """`step`: index of a step, or None; `param`: name of a param, or None for the oracle's type."""

    step: int | None
    param: str | None


def blame(task: EvalTask, replayed: Replay, result: OracleResult, specs: Mapping[str, OracleSpec]) -> Blame:
    """The step after which the oracle no longer passed, and its most telling param.

    Where the oracle judges steps, the first one it names. Where it never passed, or cannot be judged step by step,
    the last edit of its file, or of any file if it names none.
    """
    oracle, spec = task.oracles[result.index], specs.get(task.oracles[result.index].type)
    step = _step(task, oracle, spec, result, replayed)
    return Blame(step, _telling_param(oracle, spec, replayed.files))


def _telling_param(oracle: Oracle, spec: OracleSpec | None, files: Files) -> str | None:
    params = [p for p in (spec.params or () if spec else ()) if isinstance(oracle.params.get(p.name), str)]
    lost = [p.name for p in params if p.kind == "workspace_path" and fold(oracle.params[p.name]) not in files]
    ordered = [p.name for kind in _TELLING for p in params if p.kind == kind]
    return next(iter([*lost, *ordered]), None)


def _step(
    task: EvalTask,
    oracle: Oracle,
    spec: OracleSpec | None,
    result: OracleResult,
    replayed: Replay,
) -> int | None:
    violations = result.details.get("violations")
    if violations:
        return int(violations[0]["step_index"])
    paths = path_params(oracle, spec)
    edits = [r.step for r in replayed.reports if r.status == "applied" and (not paths or r.path in paths)]
    check = find_oracle(oracle.type)
    if isinstance(check, FileOracle) and edits:
        turned = _turning_step(check, oracle, task, replayed, edits)
        return edits[-1] if turned is None else turned
    return edits[-1] if edits else None


def _turning_step(check: FileOracle, oracle: Oracle, task: EvalTask, replayed: Replay, edits: list[int]) -> int | None:
    """The first step of the stretch at the end in which the oracle fails; None where it never passed."""
    files, wanted = dict(replayed.initial), set(edits)

    def passes() -> bool:
        context = OracleContext(files)
        return check.check_files(oracle, context, replayed.trajectory, task.workspace).passed

    good, turned = passes(), None
    for step in replayed.trajectory.steps:
        apply_step(files, step, replayed.trajectory)
        if step.index in wanted:
            before, good = good, passes()
            if before and not good:
                turned = step.index
    return turned

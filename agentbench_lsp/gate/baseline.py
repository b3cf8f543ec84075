"""The baseline: what the oracles say before the agent does anything. One that passes then measures nothing yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from agentbench_lsp.models.task import EvalTask, OracleResult, RunResult
from agentbench_lsp.oracles.base import OracleSpec, is_command

BaselineState = Literal[
    "fails",  # as it should be, where the oracle asks for the agent's work
    "guard",  # passes, since it watches for what the agent must not do
    "passes",  # measures nothing yet
]
TASK_ADVICE = (
    "every oracle passes before the agent does anything, so an agent that does nothing solves the task:"
    " add an oracle that fails until the work is done, or break the workspace that the prompt asks to repair"
)
_GUARD = "a guard: it passes until the agent does what it forbids"
_COMMAND = (
    "measures nothing yet: the command passes before the agent does anything."
    " Let it check what the prompt asks for, so that it fails now; keep it as it is only to notice regressions"
)
_PATTERN = (
    "measures nothing yet: the file matches before the agent does anything."
    " It guards what is there; to ask for something new, use a pattern that the file does not match now"
)
_TOOL = "it fails for want of a tool or a file: if that is not what the agent is to make, it measures nothing here"
_OTHER = "measures nothing yet: it passes before the agent does anything"


def with_baseline(task: EvalTask, result: RunResult, specs: Mapping[str, OracleSpec]) -> RunResult:
    """The result of an evaluation without steps, each oracle with the detail `baseline`: `{"state", "advice"}`."""
    return replace(result, baseline=True, oracle_results=[_stated(task, each, specs) for each in result.oracle_results])


def _stated(task: EvalTask, result: OracleResult, specs: Mapping[str, OracleSpec]) -> OracleResult:
    oracle = task.oracles[result.index]
    spec = specs.get(oracle.type)
    state: BaselineState = "fails"
    advice = ""
    if result.passed and spec is not None and spec.guard:
        state, advice = "guard", _GUARD
    elif result.passed:
        has_pattern = any(p.kind == "regex" for p in (spec.params or () if spec else ()))
        state, advice = "passes", _COMMAND if is_command(oracle.type) else _PATTERN if has_pattern else _OTHER
    elif result.details.get("outcome") == "tool-missing":
        advice = _TOOL
    return replace(result, details={**result.details, "baseline": {"state": state, "advice": advice}})

"""The last evaluation of a task found that an oracle fails because of this step.

## Why
It is the other end of `oracle-failed`: the oracle passed until this step, and never again after it, or the step is
itself what the oracle forbids. For a command, `agentbench.bisect` finds the step. The diagnostic is gone as soon as the
trajectory, the task's workspace or that oracle has changed.

## Example
```json
{ "tool": "write_file", "args": { "path": "tests/test_calc.py", "content": "" } }
```
in a recording of a task that protects `tests/test_calc.py`.

## Fix
Nothing is wrong with the recording: it shows what the agent did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import OracleView
from agentbench_lsp.language.trajectory_document import TrajectoryDocument
from agentbench_lsp.language.verdicts.judgement import Judgement

RULE = Rule("step-broke-oracle", Severity.WARNING, "An oracle failed because of this step", ("trajectory", "session"))


def blamed_steps(
    trajectory: TrajectoryDocument, task_name: str, held: Iterable[tuple[Judgement, OracleView]]
) -> Iterator[tuple[OracleView, Finding]]:
    """A finding at each step that is to blame for a failure that holds, with the oracle that failed."""
    for judgement, oracle in held:
        if judgement.passed:
            continue
        for blamed in judgement.steps:
            if blamed.proven and blamed.step < len(trajectory.recording.steps):
                start, end = trajectory.range_of_step(blamed.step)
                about = f"oracle {oracle.index} ({judgement.oracle_type}) of {task_name}"
                yield oracle, RULE.at(start, end, f"{about} fails: {blamed.message}")

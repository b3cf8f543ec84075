"""An evaluation found that this oracle fails for the trajectory it was run with.

## Why
The message is the oracle's own, the same as `agentbench run` prints, and below it stands what is known of the reason:
the step after which the oracle no longer passed, what a line was and became, a short diff, the telling lines of a
command's output. The related information leads to the step in the trajectory. The diagnostic moves with its oracle,
and is gone as soon as the oracle, the workspace or the trajectory has changed, or a later evaluation passes.

## Example
```json
{ "type": "file_not_modified", "path": "tests/test_calc.py" }
```
and a trajectory in which the agent edits that file.

## Fix
If the agent is at fault, nothing is wrong with the task. Otherwise correct the oracle, or the prompt that led there.
The code actions show the step, the output or the diff, and offer a looser pattern where one is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Edit, Finding, Fix, Rule, Severity
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement, held, telling_range
from agentbench_lsp.syntax.nodes import StringNode

RULE = Rule("oracle-failed", Severity.ERROR, "The oracle failed in the last evaluation", ("task",))
_SHOWN = 60  # characters of a pattern in a title


def failures(task: TaskDocument, judgements: Iterable[Judgement]) -> Iterator[tuple[Judgement, Finding]]:
    """A finding for each failure that still holds."""
    for judgement, oracle in held(task, [j for j in judgements if not j.passed]):
        start, end = telling_range(oracle, judgement.param)
        yield judgement, RULE.at(start, end, judgement.text, fixes=_loosen(oracle, judgement))


def _loosen(oracle: OracleView, judgement: Judgement) -> Iterator[Fix]:
    """The looser pattern. Its title shows what is given up; it is never applied with others."""
    patterns = oracle.texts("regex")
    if judgement.nearest is None or len(patterns) != 1 or not isinstance(patterns[0].node, StringNode):
        return
    pattern, why = judgement.nearest
    shown = pattern if len(pattern) <= _SHOWN else pattern[: _SHOWN - 1] + "…"
    node = patterns[0].node
    yield Fix(f"Loosen to `{shown}` (gives up {why})", (Edit(node.start, node.end, json_text(pattern)),))

"""The baseline found that this oracle passes before the agent does anything.

## Why
An oracle that passes on the untouched workspace measures nothing of the agent's work: it can only notice that something
was broken. That may be meant. Oracles that watch for what must not happen (`file_not_modified`, `no_network`) always
pass there and are not reported.

## Example
```json
{ "type": "assertion_exists", "path": "src/calc.py", "pattern": "def" }
```
in a task whose `src/calc.py` has a function already.

## Fix
Let it ask for what the prompt asks for, so that it fails now. If it guards what is there, leave it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement, held, telling_range

RULE = Rule("passes-at-baseline", Severity.INFORMATION, "The oracle passes before the agent does anything", ("task",))


def idle_oracles(task: TaskDocument, judgements: Iterable[Judgement]) -> Iterator[Finding]:
    """A finding for each oracle that a baseline has advice for."""
    for judgement, oracle in held(task, [j for j in judgements if j.baseline]):
        start, end = telling_range(oracle, judgement.param)
        yield RULE.at(start, end, judgement.baseline or "")

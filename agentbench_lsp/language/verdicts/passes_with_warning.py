"""The oracle passed in the last evaluation, but something makes its verdict doubtful.

## Why
Replay does not run the agent's shell commands, skips edits that do not fit, and never writes outside the workspace.
Where that may have hidden something, the verdict says so: a protected file that a command may have changed, an edit
that was not applied, a path outside the workspace. A command that passes on the untouched workspace too, or runs no
test at all, passes whatever the agent does.

## Example
```json
{ "type": "test_must_pass", "command": "python -m unittest discover -s nowhere" }
```
exits 0 on some Pythons, with `Ran 0 tests`.

## Fix
Read the step the message names. Let a command fail until the work is done; `agentbench.baseline` tells whether it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement, held, telling_range

RULE = Rule("passes-with-warning", Severity.WARNING, "The oracle passed, with a reservation", ("task",))


def reservations(task: TaskDocument, judgements: Iterable[Judgement]) -> Iterator[Finding]:
    """A finding for each oracle that passed with warnings."""
    for judgement, oracle in held(task, [j for j in judgements if j.passed and j.warnings]):
        start, end = telling_range(oracle, judgement.param)
        yield RULE.at(start, end, "passed, but " + "\n".join(judgement.warnings))

"""The pattern would match the workspace file if upper and lower case were the same.

## Why
Most often a misspelling: the file says `Timed out`, the pattern `timed out`. If the agent is meant to change the case,
nothing is wrong.

## Example
```json
"workspace": { "app.py": "print('Timed out')" },
"oracles": [{ "type": "assertion_exists", "path": "app.py", "pattern": "timed out" }]
```

## Fix
Write the case that the file has, or begin the pattern with `(?i)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.pattern_search import Outcome, outcome
from agentbench_lsp.language.regex_text import with_ignore_case
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("case-only-mismatch", Severity.HINT, "A pattern differs from the file in case only", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every pattern that matches with `re.IGNORECASE` only."""
    for view in task.patterns:
        if view.file is not None and outcome(view, task.around) is Outcome.OTHER_CASE:
            fix = replace(
                view.node.start, view.node.end, json_text(with_ignore_case(view.pattern)), "Ignore case: (?i)"
            )
            message = f"{view.file.key.value} matches this only in another case; correct it, or begin with (?i)"
            yield RULE.at(view.node.start, view.node.end, message, fixes=[fix])

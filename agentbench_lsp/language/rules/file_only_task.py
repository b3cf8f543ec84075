"""Nothing of the task is run: all its oracles look at files or steps.

## Why
A pattern is also found in a comment. Whether what the agent wrote works is not checked.

## Example
```json
"oracles": [{ "type": "assertion_exists", "path": "src/calc.py", "pattern": "def subtract\\\\(" }]
```

## Fix
Add `test_must_pass` with a command that uses the code. For tasks about texts nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("file-only-task", Severity.HINT, "No oracle runs anything", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Tasks whose oracles are all known and take no command, one of them a pattern."""
    prop = task.document.field("oracles")
    specs = [oracle.spec for oracle in task.oracles]
    if prop is None or not specs or not task.patterns:
        return
    if all(spec is not None and spec.params is not None for spec in specs) and not any(
        param.kind == "command" for spec in specs if spec for param in spec.params or ()
    ):
        message = "nothing is run: a comment with the right words would pass. Add test_must_pass if code can be run"
        yield RULE.at(prop.key.start, prop.key.end, message)

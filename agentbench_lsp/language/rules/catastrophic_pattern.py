"""Searching for this pattern can take time that doubles with every few characters of the file.

## Why
A repeat inside a repeat can read the same text in very many ways, and if the pattern does not match in the end, all of
them are tried. The oracle then fails because it runs out of time, not because of what the agent did.

## Example
```json
{ "type": "assertion_exists", "path": "t.py", "pattern": "^(\\\\w+\\\\s?)*$" }
```

## Fix
Leave out one of the two repeats, or make what they read differ: `^\\\\w+(\\\\s\\\\w+)*$`. Python 3.11 and newer
also have possessive repeats: `(\\\\w++\\\\s?)*`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.regex_cost import find_costly
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("catastrophic-pattern", Severity.WARNING, "A pattern that can take exponential time", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every pattern with a proof that it can."""
    for view in task.patterns:
        if costly := find_costly(view.pattern):
            message = (
                f"this pattern takes exponential time on a row of {costly.character!r} that does not match in the end;"
                " a repeat in it repeats something that is itself repeated"
            )
            yield RULE.at(view.node.start, view.node.end, message)

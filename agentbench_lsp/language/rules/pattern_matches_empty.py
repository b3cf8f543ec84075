"""A pattern matches the empty text, so it is found in every file.

## Why
The oracle passes whatever the agent does: it checks nothing but that the file is there.

## Example
```json
{ "type": "assertion_exists", "path": "t.py", "pattern": "(assert .*)?" }
```

## Fix
Make the pattern ask for something: `+` in place of `*`, no `?` around all of it, no empty alternative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agentbench_lsp.dsl.regex_syntax import regex_fault
from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.regex_cost import depends_on_context
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("pattern-matches-empty", Severity.WARNING, "A pattern that is found in every file", ("task",))
_SAMPLES = ("", "\0", "a", " ", "\n", "\n\0\n", "_\0")  # our own, and short: no pattern is costly on them


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every pattern that no text can fail."""
    for view in task.patterns:
        if view.pattern and _always_found(view.pattern):
            message = "this pattern matches the empty text, so the oracle passes whatever the file holds"
            yield RULE.at(view.node.start, view.node.end, message)


@lru_cache(maxsize=4096)
def _always_found(pattern: str) -> bool:
    if regex_fault(pattern):
        return False
    compiled = re.compile(pattern, re.MULTILINE)
    if depends_on_context(pattern):
        return False  # a negative look-ahead matches the empty text, and not every file
    return all(compiled.search(sample) for sample in _SAMPLES)

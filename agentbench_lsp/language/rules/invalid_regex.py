"""A pattern does not compile with the engine that evaluates it, Python's `re`.

## Why
The oracle could only fail, for every agent.

## Example
```json
{ "type": "assertion_exists", "path": "t.py", "pattern": "assert add\\\\(1, 2" }
```

## Fix
The marked character is where the engine gave up. Literal brackets need a backslash, which JSON wants doubled.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.dsl.regex_syntax import regex_fault
from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.regex_text import escape_regex
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.syntax.nodes import StringNode

RULE = Rule("invalid-regex", Severity.ERROR, "A pattern is no valid regex", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every pattern, by compiling it."""
    for view in task.patterns:
        if view.pattern and (fault := regex_fault(view.pattern)):
            reason, position = fault
            text = json_text(escape_regex(view.pattern))
            fix = replace(view.node.start, view.node.end, text, "Escape it as literal text")
            yield RULE.at(*_range(view.node, position), f"not a valid regex: {reason}", fixes=[fix])


def _range(node: StringNode, position: int | None) -> tuple[int, int]:
    """The character at fault, through escapes; the closing quote where the fault is the end of the pattern."""
    if position is None:
        return node.start, node.end
    start = node.offset_of(position)
    if position >= len(node.value):
        return start, node.end
    return start, node.offset_of(position + 1)

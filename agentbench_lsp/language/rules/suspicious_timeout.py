"""A time limit that is most likely not what was meant.

## Why
Limits are in seconds. 0 ends the command before it has begun; 60000 are 16 hours, and were most likely milliseconds.

## Example
```json
{ "type": "test_must_pass", "command": "python -m pytest -q", "timeout": 60000 }
```

## Fix
Write seconds.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.syntax.nodes import LiteralNode

RULE = Rule("suspicious-timeout", Severity.INFORMATION, "A time limit that looks wrong", ("task",))
_HOUR = 3600


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every param in seconds."""
    for oracle in task.oracles:
        for param in oracle.spec.params or () if oracle.spec else ():
            node = oracle.node.value_of(param.name)
            if param.kind != "seconds" or not isinstance(node, LiteralNode) or not node.valid:
                continue
            seconds = node.value
            if isinstance(seconds, bool) or not isinstance(seconds, int | float):
                continue
            if seconds == 0:
                message = f"{param.name} is 0 seconds: the command is killed before it has begun"
                yield RULE.at(node.start, node.end, message, Severity.WARNING)
            elif seconds > _HOUR:
                fixes = []
                message = f"{param.name} is {seconds:g} seconds, which is {seconds / _HOUR:.1f} hours"
                if seconds % 1000 == 0:
                    meant = int(seconds // 1000)
                    message += f"; were {meant} seconds meant, in milliseconds?"
                    fixes = [replace(node.start, node.end, json_text(meant), f"Write {meant}")]
                yield RULE.at(node.start, node.end, message, fixes=fixes)

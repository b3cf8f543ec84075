"""A value is of another JSON type than the one that is read there, or out of its range.

## Why
A number where a text is read, or a list where an object is, can only fail later, in the middle of an evaluation.

## Example
```json
{ "type": "test_must_pass", "command": "pytest -q", "timeout": "60" }
```

## Fix
Write the value in the type the message names: `"timeout": 60`.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("wrong-type", Severity.ERROR, "A value has the wrong type")
check = structure_check(RULE)

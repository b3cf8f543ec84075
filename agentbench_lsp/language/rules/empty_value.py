"""A value that has to say something is empty or blank.

## Why
An empty id names nothing, an empty command passes without running anything, an empty path is no file.

## Example
```json
{ "type": "test_must_pass", "command": "" }
```

## Fix
Write the value.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("empty-value", Severity.ERROR, "A value is blank")
check = structure_check(RULE)

"""`workspace` is an empty object.

## Why
The agent starts in the workspace; a task without a single file has nothing to work on and nothing to check.

## Example
```json
"workspace": {}
```

## Fix
Add at least one file: `"src/app.py": "…"`.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("empty-workspace", Severity.ERROR, "The workspace holds no file", ("task",))
check = structure_check(RULE)

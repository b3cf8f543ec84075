"""Two keys of `workspace` are spelled differently and name the same file.

## Why
Only one of the two contents can be in the file; which one would depend on their order.

## Example
```json
"workspace": { "src/app.py": "a", "./src//app.py": "b" }
```

## Fix
Keep one of them.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("path-collision", Severity.ERROR, "Two workspace keys are one file", ("task",))
check = structure_check(RULE)

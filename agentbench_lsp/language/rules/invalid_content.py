"""The content of a workspace file holds half of a surrogate pair.

## Why
Files are written as UTF-8, which has no form for `\\ud83d` alone.

## Example
```json
"workspace": { "a.txt": "\\ud83d" }
```

## Fix
Write the character itself, or both halves of its escape.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("invalid-content", Severity.ERROR, "File content that no UTF-8 file can hold", ("task",))
check = structure_check(RULE)

"""A key of `workspace` is a file, and another key needs a folder of that name.

## Why
No file system can hold both.

## Example
```json
"workspace": { "src": "text", "src/app.py": "text" }
```

## Fix
Rename or remove one of the two.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("file-and-folder", Severity.ERROR, "A workspace path is both file and folder", ("task",))
check = structure_check(RULE)

"""A key of `workspace` that no file can have: blank, the workspace folder itself, a NUL character, too long.

## Why
The workspace could not be written to disk.

## Example
```json
"workspace": { "/": "text" }
```

## Fix
Name the file by a relative path such as `src/app.py`.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("invalid-path", Severity.ERROR, "A workspace key is no usable path", ("task",))
check = structure_check(RULE)

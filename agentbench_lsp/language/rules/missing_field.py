"""A field that the document cannot do without is missing.

## Why
A task needs `id`, `name`, `description`, `prompt`, `workspace` and `oracles`; a trajectory needs `steps`; a manifest
needs `task_files` or `task_subset`. Without one of them nothing can be evaluated.

## Example
```json
{ "id": "fix-add", "name": "Fix add", "prompt": "Make the test pass." }
```

## Fix
Add the field. Completion offers those that are missing.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("missing-field", Severity.ERROR, "A required field is missing")
check = structure_check(RULE)

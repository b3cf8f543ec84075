"""An object of `oracles` has no `type`.

## Why
The type says which check is run; without it none can be.

## Example
```json
{ "path": "tests/test_calc.py" }
```

## Fix
Add `"type"`; completion offers the types.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("missing-oracle-type", Severity.ERROR, "An oracle has no type", ("task",))
check = structure_check(RULE)

"""An oracle does not have a param that its type needs.

## Why
The oracle could only fail, for every agent.

## Example
```json
{ "type": "assertion_exists", "path": "tests/test_calc.py" }
```

## Fix
Add the param; completion offers those that are missing.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("missing-param", Severity.ERROR, "An oracle lacks a required param", ("task",))
check = structure_check(RULE)

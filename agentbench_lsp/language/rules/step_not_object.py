"""Something in `steps` is no object.

## Why
A step is an object with a `type`, a `tool` and `args`. A recording with anything else is refused.

## Example
```json
{ "steps": ["ls"] }
```

## Fix
Write the step as an object, or remove it.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("step-not-object", Severity.ERROR, "A step is no object", ("trajectory",))
check = structure_check(RULE)

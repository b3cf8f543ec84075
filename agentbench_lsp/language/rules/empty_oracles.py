"""`oracles` is an empty list.

## Why
A task that checks nothing passes for every agent.

## Example
```json
"oracles": []
```

## Fix
Add an oracle; completion inside the brackets offers every type with its params.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("empty-oracles", Severity.ERROR, "The task has no oracles", ("task",))
check = structure_check(RULE)

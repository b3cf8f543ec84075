"""An oracle names a type that does not exist.

## Why
An unknown type is an error, not a check that is skipped: a misspelled oracle would protect nothing.

## Example
```json
{ "type": "file_not_modifed", "path": "tests/test_calc.py" }
```

## Fix
Use the type the message suggests. A type of your own has to be named in `[tool.agentbench] oracles` of
`pyproject.toml`, or be an entry point of the group `agentbench.oracles`.
"""

from __future__ import annotations

from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.language.structure import structure_check

RULE = Rule("unknown-oracle-type", Severity.ERROR, "No oracle has this type", ("task",))
check = structure_check(RULE)

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

from collections.abc import Iterator

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.language.edits import append, json_text
from agentbench_lsp.language.finding import Fix, Rule, Severity
from agentbench_lsp.language.structure import structure_check
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ObjectNode

RULE = Rule("missing-oracle-type", Severity.ERROR, "An oracle has no type", ("task",))


def _fixes(view: DocumentView, error: DocumentError) -> Iterator[Fix]:
    name = str(error.location[-1])
    _, owner = view.document.find(error.location[:-1])
    if isinstance(owner, ObjectNode) and owner.get(name) is None:
        for oracle_type in view.specs:
            text = f"{json_text(name)}: {json_text(oracle_type)}"
            yield Fix(f"Add the type {oracle_type}", (append(view.document, owner, text),))


check = structure_check(RULE, _fixes)

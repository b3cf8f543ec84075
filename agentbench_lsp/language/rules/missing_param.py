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

from collections.abc import Iterator

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.language.edits import append, json_text
from agentbench_lsp.language.finding import Fix, Rule, Severity
from agentbench_lsp.language.snippet import plain, value_place
from agentbench_lsp.language.structure import structure_check
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ObjectNode, StringNode

RULE = Rule("missing-param", Severity.ERROR, "An oracle lacks a required param", ("task",))


def _fixes(view: DocumentView, error: DocumentError) -> Iterator[Fix]:
    name = str(error.location[-1])
    _, owner = view.document.find(error.location[:-1])
    if isinstance(owner, ObjectNode) and owner.get(name) is None:
        type_node = owner.value_of("type")
        spec = view.specs.get(type_node.value) if isinstance(type_node, StringNode) else None
        param = spec.param(name) if spec else None
        if param is not None:
            text = f"{json_text(name)}: {plain(value_place(param, 1))}"
            yield Fix(f"Add {name}", (append(view.document, owner, text),))


check = structure_check(RULE, _fixes)

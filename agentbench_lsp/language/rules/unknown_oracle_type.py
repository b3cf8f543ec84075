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

from collections.abc import Iterator
from difflib import get_close_matches

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Fix, Rule, Severity, replace
from agentbench_lsp.language.structure import structure_check
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import StringNode

RULE = Rule("unknown-oracle-type", Severity.ERROR, "No oracle has this type", ("task",))


def _fixes(view: DocumentView, error: DocumentError) -> Iterator[Fix]:
    _, node = view.document.find(error.location)
    if isinstance(node, StringNode):
        for name in get_close_matches(node.value.strip().lower(), list(view.specs), n=3, cutoff=0.6):
            yield replace(node.start, node.end, json_text(name), f"Write {name}")


check = structure_check(RULE, _fixes)

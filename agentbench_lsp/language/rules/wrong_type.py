"""A value is of another JSON type than the one that is read there, or out of its range.

## Why
A number where a text is read, or a list where an object is, can only fail later, in the middle of an evaluation.

## Example
```json
{ "type": "test_must_pass", "command": "pytest -q", "timeout": "60" }
```

## Fix
Write the value in the type the message names: `"timeout": 60`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Fix, Rule, Severity, replace
from agentbench_lsp.language.structure import structure_check
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ArrayNode, LiteralNode, Node, StringNode

RULE = Rule("wrong-type", Severity.ERROR, "A value has the wrong type")


def _fixes(view: DocumentView, error: DocumentError) -> Iterator[Fix]:
    """Quotes taken from a number, put around one, or taken from the only item of a list."""
    _, node = view.document.find(error.location)
    text = _other_form(node)
    if node is not None and text is not None:
        yield replace(node.start, node.end, text, f"Write {text}")


def _other_form(node: Node | None) -> str | None:
    if isinstance(node, LiteralNode) and node.valid and node.value is not None:
        return json_text(json_text(node.value))
    if isinstance(node, StringNode):
        try:
            value = json.loads(node.value)
        except (ValueError, RecursionError):
            return None
        return json_text(value) if isinstance(value, bool | int | float) and value == value else None
    if isinstance(node, ArrayNode) and len(node.items) == 1 and isinstance(node.items[0], StringNode):
        return json_text(node.items[0].value)
    return None


check = structure_check(RULE, _fixes)

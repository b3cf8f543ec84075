"""An object has the same key more than once.

## Why
JSON readers keep the last one and say nothing: a second `oracles` hides every check of the first.

## Example
```json
{ "oracles": [{ "type": "no_network" }], "oracles": [] }
```

## Fix
Remove one of them, or merge the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import remove
from agentbench_lsp.language.finding import Finding, Fix, Related, Rule, Severity
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ObjectNode, PropertyNode, walk

RULE = Rule("duplicate-key", Severity.ERROR, "A key stands twice in one object")


def check(view: DocumentView) -> Iterator[Finding]:
    """Every key that an earlier one of its object already has."""
    for node in walk(view.document.root):
        if isinstance(node, ObjectNode) and len({p.key.value for p in node.properties}) < len(node.properties):
            yield from _repeated(view, node)


def _repeated(view: DocumentView, node: ObjectNode) -> Iterator[Finding]:
    seen: dict[str, PropertyNode] = {}
    for prop in node.properties:
        name = prop.key.value
        if name in seen:
            message = f"the key {name!r} stands twice in this object; only the last one counts, so remove one"
            first = seen[name]
            related = [Related(first.key.start, first.key.end, "the one before, which is not read")]
            fix = Fix("Remove the one before", (remove(view.document, node, first),))
            yield RULE.at(prop.key.start, prop.key.end, message, fixes=[fix], related=related)
        seen[name] = prop

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

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.syntax.nodes import ObjectNode, walk

RULE = Rule("duplicate-key", Severity.ERROR, "A key stands twice in one object")


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every key that an earlier one of its object already has."""
    for node in walk(task.document.root):
        if isinstance(node, ObjectNode) and len({p.key.value for p in node.properties}) < len(node.properties):
            yield from _repeated(node)


def _repeated(node: ObjectNode) -> Iterator[Finding]:
    seen: set[str] = set()
    for prop in node.properties:
        name = prop.key.value
        if name in seen:
            message = f"the key {name!r} stands twice in this object; only the last one counts, so remove one"
            yield RULE.at(prop.key.start, prop.key.end, message)
        seen.add(name)

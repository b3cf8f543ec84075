"""Two oracles of a task are the same.

## Why
The second one says nothing new. Most often it was copied and one of its params should have been changed. A command may
be repeated on purpose, since commands change the folder they run in.

## Example
```json
{ "type": "no_network" }, { "type": "no_network" }
```

## Fix
Remove one, or change what should differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import remove
from agentbench_lsp.language.finding import Finding, Fix, Related, Rule, Severity
from agentbench_lsp.language.structure import head
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.syntax.nodes import ArrayNode

RULE = Rule("duplicate-oracle", Severity.WARNING, "An oracle stands twice", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every oracle with the content of an earlier one."""
    seen: dict[frozenset[tuple[str, str]], OracleView] = {}
    oracles = task.field("oracles")
    for oracle in task.oracles:
        if oracle.type_node is None or oracle.spec is None:
            continue
        first = seen.setdefault(_content(task, oracle), oracle)
        if first is oracle or not isinstance(oracles, ArrayNode):
            continue
        runs = bool(oracle.texts("command"))
        fix = Fix("Remove this oracle", (remove(task.document, oracles, oracle.node),), safe=not runs)
        other = first.type_node or first.node
        related = [Related(*head(other), "the first one")]
        message = f"the same as oracle {first.index + 1} of the task; remove it, or change what should differ"
        severity = Severity.INFORMATION if runs else Severity.WARNING
        yield RULE.at(*head(oracle.type_node), message, severity, [fix], related)


def _content(task: TaskDocument, oracle: OracleView) -> frozenset[tuple[str, str]]:
    """Keys and values as they are written, in any order."""
    text = task.document.text
    pairs = ((p.key.value, p.value) for p in oracle.node.properties)
    return frozenset((key, text[value.start : value.end] if value else "") for key, value in pairs)

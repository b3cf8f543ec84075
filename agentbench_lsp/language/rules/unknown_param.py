"""An oracle has a param that its type does not declare.

## Why
It is ignored. Most often it is a misspelled one, and the default is used in its place.

## Example
```json
{ "type": "test_must_pass", "command": "pytest -q", "timeuot": 10 }
```

## Fix
Correct the name, or remove the param. Oracles that declare no params at all are not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from agentbench_lsp.language.edits import json_text, remove
from agentbench_lsp.language.finding import Finding, Fix, Rule, Severity, replace
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("unknown-param", Severity.WARNING, "The oracle's type does not know this param", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every param that the spec does not have."""
    for oracle in task.oracles:
        if oracle.spec is None or oracle.spec.params is None:
            continue
        names = [p.name for p in oracle.spec.params]
        for prop in oracle.node.properties:
            name = prop.key.value
            if name != "type" and name not in names:
                near = get_close_matches(name.lower(), names, n=1, cutoff=0.6)
                fixes = [Fix("Remove it", (remove(task.document, oracle.node, prop),))]
                if near and oracle.node.get(near[0]) is None:
                    fixes.insert(0, replace(prop.key.start, prop.key.end, json_text(near[0]), f"Write {near[0]}"))
                message = _message(oracle.spec.type, name, names, near)
                yield RULE.at(prop.key.start, prop.key.end, message, fixes=fixes)


def _message(oracle_type: str, name: str, names: list[str], near: list[str]) -> str:
    known = f"it has {', '.join(names)}" if names else "it has none"
    hint = f"; did you mean {near[0]!r}?" if near else f" ({known})"
    return f"{oracle_type} has no param {name!r} and ignores it{hint}"

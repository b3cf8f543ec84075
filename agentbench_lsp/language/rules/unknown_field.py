"""A field that no reader of the document looks at.

## Why
It is ignored. If it is a misspelled one, what it says has no effect.

## Example
```json
{ "id": "t", "workspce": { "a.txt": "" } }
```

## Fix
Correct the name. Fields of your own are allowed; they are only a hint.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from agentbench_lsp.dsl.schema import document_schema
from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.view import DocumentView

RULE = Rule("unknown-field", Severity.HINT, "A field that is not read", ("task", "manifest"))


def check(view: DocumentView) -> Iterator[Finding]:
    """Every field that is not in the schema: a warning where a known one that is missing has nearly its name."""
    if view.root_object is None or view.document.kind is None:
        return
    known = list(document_schema(view.document.kind)["properties"])
    present = {p.key.value for p in view.root_object.properties}
    for prop in view.root_object.properties:
        name = prop.key.value
        if name in known or name == "$schema" or not name:
            continue
        missing = [k for k in known if k not in present]
        near = get_close_matches(name.lower(), missing, n=1, cutoff=0.75)
        if near:
            fix = replace(prop.key.start, prop.key.end, json_text(near[0]), f"Write {near[0]}")
            message = f"{name!r} is not read; did you mean {near[0]!r}?"
            yield RULE.at(prop.key.start, prop.key.end, message, Severity.WARNING, [fix])
        else:
            yield RULE.at(prop.key.start, prop.key.end, f"{name!r} is a field of your own; it is not read")

"""A field that the document cannot do without is missing.

## Why
A task needs `id`, `name`, `description`, `prompt`, `workspace` and `oracles`; a trajectory needs `steps`; a manifest
needs `task_files` or `task_subset`. Without one of them nothing can be evaluated.

## Example
```json
{ "id": "fix-add", "name": "Fix add", "prompt": "Make the test pass." }
```

## Fix
Add the field. Completion offers those that are missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.language.edits import append, json_text
from agentbench_lsp.language.finding import Fix, Rule, Severity
from agentbench_lsp.language.structure import structure_check
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ObjectNode

RULE = Rule("missing-field", Severity.ERROR, "A required field is missing")
_EMPTY = {"workspace": "{}", "oracles": "[]", "steps": "[]", "task_files": "[]"}


def _fixes(view: DocumentView, error: DocumentError) -> Iterator[Fix]:
    name = str(error.location[-1])
    _, owner = view.document.find(error.location[:-1])
    if isinstance(owner, ObjectNode) and owner.get(name) is None:
        text = f"{json_text(name)}: {_EMPTY.get(name, json_text(''))}"
        yield Fix(f"Add {name}", (append(view.document, owner, text),))


check = structure_check(RULE, _fixes)

"""A path is spelled in a way that is read as another, shorter one.

## Why
`./src/app.py`, `src//app.py` and `src\\\\app.py` all name `src/app.py` here. Other tools that read the task may not
know that, and a search for the path misses it.

## Example
```json
{ "type": "file_not_modified", "path": "./src/app.py" }
```

## Fix
Write the short form. The fix is safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.models.paths import escapes, fold, is_absolute
from agentbench_lsp.syntax.nodes import StringNode

RULE = Rule("path-not-normalized", Severity.INFORMATION, "A path is not in its short form", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Workspace keys that collide with no other, and path params."""
    folded = [fold(file.key.value) for file in task.files]
    for file, path in zip(task.files, folded, strict=True):
        if file.key.value != path and folded.count(path) == 1:
            yield from _judge(file.key)
    for view in task.params("workspace_path"):
        yield from _judge(view.node)


def _judge(node: StringNode) -> Iterator[Finding]:
    path = fold(node.value)
    if path == node.value or not path or escapes(path) or is_absolute(node.value):
        return
    fix = replace(node.start, node.end, json_text(path), f"Write {path}", safe=True)
    yield RULE.at(node.start, node.end, f"{node.value!r} is read as {path!r}; write it so", fixes=[fix])

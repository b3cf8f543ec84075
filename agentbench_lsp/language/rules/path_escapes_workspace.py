"""A workspace key or a path param is absolute, or leaves the workspace by `..`.

## Why
Nothing outside the workspace is read or written, so the path can never be a file of the task.

## Example
```json
{ "type": "file_not_modified", "path": "../pyproject.toml" }
```

## Fix
Write the path relative to the workspace's root.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.structure import structure_check
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.models.paths import escapes, fold, is_absolute

RULE = Rule("path-escapes-workspace", Severity.ERROR, "A path leaves the workspace", ("task",))
_keys = structure_check(RULE)


def check(task: TaskDocument) -> Iterator[Finding]:
    """Workspace keys (from the structure check), then every path param."""
    yield from _keys(task)
    for oracle in task.oracles:
        for view in oracle.texts("workspace_path"):
            path = view.node.value
            if is_absolute(path) or escapes(fold(path)):
                why = "is absolute" if is_absolute(path) else "leaves the workspace"
                message = f"{path!r} {why}; write it relative to the root of the workspace"
                inside = next((key for key in task.folded_files if fold(path).endswith(f"/{key}")), None)
                fixes = []
                if inside := inside or (fold(path) if fold(path) in task.folded_files else None):
                    fixes = [replace(view.node.start, view.node.end, json_text(inside), f"Write {inside}")]
                yield RULE.at(view.node.start, view.node.end, message, fixes=fixes)

"""Another task file of the same folder has this id.

## Why
Reports, manifests and results name tasks by their id. Of two with one id, nobody can tell which failed.

## Example
`tasks/a.json` and `tasks/b.json`, both with
```json
{ "id": "fix-add" }
```

## Fix
Give one of them another id.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("duplicate-task-id", Severity.WARNING, "Two task files have one id", ("task",))
_MOST_NAMED = 3


def check(task: TaskDocument) -> Iterator[Finding]:
    """The task's id, among those of its folder."""
    task_id, node = task.text_of("id"), task.field("id")
    if not task_id or node is None:
        return
    others = [name for name in task.around.neighbours().by_id.get(task_id, ()) if name != task.around.name]
    if others:
        more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
        message = f"{', '.join(others[:_MOST_NAMED])}{more} in this folder has the id {task_id!r} too; change one"
        yield RULE.at(node.start, node.end, message)

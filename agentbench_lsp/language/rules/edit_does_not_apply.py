"""An edit does not fit the file it is for.

## Why
The recording is replayed against the task it belongs to: `metadata.task` names it, or the file's own name does. An edit
whose `old_string` is not in the file, or is there twice, changes nothing, and the verdict is about another workspace
than the one the agent left.

## Example
```json
{ "tool": "str_replace", "args": { "path": "calc.py", "old_string": "a - b", "new_string": "a + b" } }
```
for a file without `a - b`.

## Fix
Record the edit as it was made, or name the right task.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.trajectory_document import TrajectoryDocument
from agentbench_lsp.runner.edits.reading import OLD_ARGS
from agentbench_lsp.runner.replay import replay

RULE = Rule("edit-does-not-apply", Severity.WARNING, "An edit does not fit its file", ("trajectory", "session"))


def check(trajectory: TrajectoryDocument) -> Iterator[Finding]:
    """Replay, where the task is known."""
    if not any(view.step.is_write for view in trajectory.steps):
        return
    found = trajectory.task
    if found is None:
        return
    name, task = found
    steps = {view.step.index: view for view in trajectory.steps}
    for report in replay(task.contents, trajectory.recording).reports:
        view = steps.get(report.step)
        if report.status in ("not-applied", "unsupported") and view is not None and view.step.path is not None:
            node = view.arg(*OLD_ARGS) or view.path_node
            where = (node.start, node.end) if node else view.head
            yield RULE.at(*where, f"does not apply to {report.path} of {name}: {report.reason}")

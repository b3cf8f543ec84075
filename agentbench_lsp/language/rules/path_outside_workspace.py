"""A step writes a file outside of the workspace.

## Why
Nothing outside of the workspace is written in replay: the edit is left out, and reported.

## Example
```json
{ "metadata": { "cwd": "/work" }, "steps": [{ "tool": "write_file", "args": { "path": "/tmp/x", "content": "" } }] }
```

## Fix
If the file is the task's, set `metadata.cwd` to the folder the agent worked in.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.trajectory_document import TrajectoryDocument
from agentbench_lsp.models.paths import escapes

RULE = Rule(
    "path-outside-workspace", Severity.WARNING, "A step writes outside of the workspace", ("trajectory", "session")
)


def check(trajectory: TrajectoryDocument) -> Iterator[Finding]:
    """Every write that happened, by its path and `metadata.cwd`."""
    recording = trajectory.recording
    for view in trajectory.steps:
        if not view.step.is_write or view.step.failure:
            continue
        for path in view.step.paths:
            if escapes(recording.locate(view.step, path)):
                root = f" (metadata.cwd is {recording.root!r})" if recording.root else ""
                message = f"{path!r} is outside of the workspace{root}, so replay leaves this edit out"
                yield RULE.at(*view.range_of(path), message)

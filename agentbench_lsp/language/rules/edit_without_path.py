"""A step writes a file and does not say which.

## Why
Replay cannot apply it: the file stays as it was, and the oracles judge a workspace the agent did not leave.

## Example
```json
{ "tool": "write_file", "args": { "content": "…" } }
```

## Fix
Add `path` (or `file_path`, `target_file`) to `args`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.trajectory_document import TrajectoryDocument

RULE = Rule("edit-without-path", Severity.WARNING, "An edit names no file", ("trajectory",))


def check(trajectory: TrajectoryDocument) -> Iterator[Finding]:
    """Every write that happened and has no path."""
    for view in trajectory.steps:
        if view.step.is_write and view.step.path is None and not view.step.failure:
            yield RULE.at(*view.head, "this edit names no file (args.path), so replay leaves it out")

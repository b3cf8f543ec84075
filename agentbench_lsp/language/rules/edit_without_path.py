"""A step writes a file and does not say which.

## Why
Replay cannot apply it: the file stays as it was, and the oracles judge a workspace the agent did not leave.

## Example
```json
{ "tool": "write_file", "args": { "content": "…" } }
```

## Fix
Add `path` (or `file_path`, `target_file`) to `args`. A patch names its files itself (`*** Update File: calc.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.trajectory_document import TrajectoryDocument
from agentbench_lsp.runner.edits import NotAppliedError

RULE = Rule("edit-without-path", Severity.WARNING, "An edit names no file", ("trajectory", "session"))


def check(trajectory: TrajectoryDocument) -> Iterator[Finding]:
    """Every write that happened and has no path."""
    for view in trajectory.steps:
        step = view.step
        if not step.is_write or step.path is not None or step.failure:
            continue
        try:
            step.read_edits()
        except NotAppliedError as exc:
            yield RULE.at(*view.head, f"{exc}, so replay leaves it out")

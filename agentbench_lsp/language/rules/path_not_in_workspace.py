"""A path param names a file that `workspace` does not have.

## Why
`file_not_modified` can then only fail: there is nothing to protect. For `assertion_exists` it is only worth knowing,
since the agent may be meant to create the file.

## Example
```json
"workspace": { "tests/test_calc.py": "…" },
"oracles": [{ "type": "file_not_modified", "path": "test/test_calc.py" }]
```

## Fix
Correct the path, or add the file. Completion offers the files of the workspace.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.models.paths import escapes, fold, is_absolute

RULE = Rule("path-not-in-workspace", Severity.ERROR, "No workspace file has this path", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every path param that stays inside the workspace and names no file of it."""
    if not task.files:
        return
    for oracle in task.oracles:
        for view in oracle.texts("workspace_path"):
            path = fold(view.node.value)
            if not path or is_absolute(view.node.value) or escapes(path) or path in task.folded_files:
                continue
            severity = Severity.ERROR if view.param.must_exist else Severity.INFORMATION
            message = _message(view.node.value, view.param.must_exist, list(task.folded_files))
            yield RULE.at(view.node.start, view.node.end, message, severity)


def _message(path: str, must_exist: bool, known: list[str]) -> str:
    near = get_close_matches(fold(path), known, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    if must_exist:
        return f"the workspace has no file {path!r}, so this oracle can only fail{hint}"
    return f"the workspace has no file {path!r}; this passes only if the agent creates it{hint}"

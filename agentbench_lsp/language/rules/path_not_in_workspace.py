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

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.rules.glob_in_path import is_glob
from agentbench_lsp.language.rules.path_case_mismatch import same_but_for_case
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
            if is_glob(path) or same_but_for_case(task, path):
                continue  # which has rules of its own
            if not path or is_absolute(view.node.value) or escapes(path) or path in task.folded_files:
                continue
            severity = Severity.ERROR if view.param.must_exist else Severity.INFORMATION
            near = get_close_matches(path, list(task.folded_files), n=1, cutoff=0.6)
            name = task.folded_files[near[0]].key.value if near else ""
            fixes = [replace(view.node.start, view.node.end, json_text(name), f"Write {name}")] if near else []
            message = _message(view.node.value, view.param.must_exist, near)
            yield RULE.at(view.node.start, view.node.end, message, severity, fixes)


def _message(path: str, must_exist: bool, near: list[str]) -> str:
    hint = f"; did you mean {near[0]!r}?" if near else ""
    if must_exist:
        return f"the workspace has no file {path!r}, so this oracle can only fail{hint}"
    return f"the workspace has no file {path!r}; this passes only if the agent creates it{hint}"

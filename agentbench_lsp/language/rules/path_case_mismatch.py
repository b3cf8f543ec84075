"""A path param differs from a workspace file in upper and lower case only.

## Why
Paths are compared exactly, on every system. `file_not_modified` can then only fail.

## Example
```json
"workspace": { "README.md": "…" },
"oracles": [{ "type": "file_not_modified", "path": "Readme.md" }]
```

## Fix
Write the path as the workspace has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Related, Rule, Severity, replace
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.models.paths import fold
from agentbench_lsp.syntax.nodes import PropertyNode

RULE = Rule("path-case-mismatch", Severity.ERROR, "A path is right but for its case", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every path param that names no file, but one in another case."""
    for view in task.params("workspace_path"):
        file = same_but_for_case(task, view.node.value)
        if file is None:
            continue
        path = file.key.value
        severity = Severity.ERROR if view.param.must_exist else Severity.WARNING
        fix = replace(view.node.start, view.node.end, json_text(path), f"Write {path}", safe=view.param.must_exist)
        message = f"the workspace has {path!r}, not {view.node.value!r}; paths are compared with their case"
        related = [Related(file.key.start, file.key.end, f"the workspace file {path!r}")]
        yield RULE.at(view.node.start, view.node.end, message, severity, [fix], related)


def same_but_for_case(task: TaskDocument, path: str) -> PropertyNode | None:
    """The only workspace file whose path differs from this one in case; None where there is none or several."""
    wanted = fold(path)
    if wanted in task.folded_files:
        return None
    found = [file for key, file in task.folded_files.items() if key.lower() == wanted.lower()]
    return found[0] if len(found) == 1 else None

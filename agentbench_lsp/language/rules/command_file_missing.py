"""A command runs a file that the workspace does not have.

## Why
It passes only if the agent creates the file. That may be meant; more often the path is misspelled.

## Example
```json
"workspace": { "tests/test_calc.py": "…" },
"oracles": [{ "type": "test_must_pass", "command": "python -m pytest test/test_calc.py -q" }]
```

## Fix
Correct the path, or add the file to the workspace.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from agentbench_lsp.language.finding import Edit, Finding, Fix, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.models.paths import escapes
from agentbench_lsp.runner.shell_command import files_run

RULE = Rule("command-file-missing", Severity.INFORMATION, "A command runs a file that is not there", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every file that a command names, as far as the command is understood."""
    if not task.files:
        return
    for view in task.params("command"):
        for file in files_run(view.node.value, task.folded_files):
            if not file.named or not file.path or file.path in task.folded_files or escapes(file.path):
                continue
            start, end = view.node.offset_of(file.start), view.node.offset_of(file.end)
            near = get_close_matches(file.path, list(task.folded_files), n=1, cutoff=0.6)
            message = f"the workspace has no file {file.path!r}; the command fails unless the agent creates it"
            fixes = []
            if near:
                message += f". Did you mean {near[0]!r}?"
                rest = view.node.value[file.start : file.end].partition("::")
                fixes = [Fix(f"Write {near[0]}", (Edit(start, end, near[0] + rest[1] + rest[2]),))]
            yield RULE.at(start, end, message, fixes=fixes)

"""A command runs a test of the workspace that no oracle protects.

## Why
An agent can make the command pass by deleting the assertion that fails. The task would not notice.

## Example
```json
{ "type": "test_must_pass", "command": "python -m pytest tests/test_calc.py -q" }
```
as the only oracle.

## Fix
Add `file_not_modified` for the test, or `assertion_exists` for the lines that matter; the quick fixes do. If the agent
is meant to write the tests, protect what must stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import add_oracle
from agentbench_lsp.language.finding import Finding, Fix, Rule, Severity
from agentbench_lsp.language.pattern_source import telling_patterns
from agentbench_lsp.language.task_document import TaskDocument, content_of
from agentbench_lsp.models.paths import fold
from agentbench_lsp.runner.shell_command import RunFile, files_run

RULE = Rule("unprotected-test", Severity.INFORMATION, "Nothing protects a test that is run", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """The tests that each command runs, one finding a command and place."""
    protected = {fold(view.node.value) for view in task.params("workspace_path")}
    for view in task.params("command"):
        places: dict[tuple[int, int], list[RunFile]] = {}
        for file in files_run(view.node.value, task.folded_files):
            if file.is_test and file.path in task.folded_files and file.path not in protected:
                places.setdefault((file.start, file.end), []).append(file)
        for (start, end), files in places.items():
            names = ", ".join(file.path for file in files)
            message = f"nothing protects {names}: an agent can delete the assertion that fails, and this passes"
            fixes = list(_fixes(task, files[0].path))
            yield RULE.at(view.node.offset_of(start), view.node.offset_of(end), message, fixes=fixes)


def _fixes(task: TaskDocument, path: str) -> Iterator[Fix]:
    file = task.folded_files[path]
    name = file.key.value
    if edit := add_oracle(task.document, {"type": "file_not_modified", "path": name}):
        yield Fix(f"Protect {name}: file_not_modified", (edit,))
    patterns = telling_patterns(content_of(file) or "", name)
    assertion = next((p for p in patterns if p.is_assertion), None)
    if assertion:
        oracle = {"type": "assertion_exists", "path": name, "pattern": assertion.pattern}
        if edit := add_oracle(task.document, oracle):
            yield Fix(f"Keep its assertion: {assertion.line[:50]}", (edit,))

"""A path param holds `*`, `?` or `[…]`. There are no wildcards: it is the name of one file.

## Why
`file_not_modified` with `tests/*.py` can only fail, since no file of the workspace has that name.

## Example
```json
{ "type": "file_not_modified", "path": "tests/*.py" }
```

## Fix
One oracle per file; the quick fix writes one for each workspace file that matches.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from agentbench_lsp.language.edits import begins_line, json_text, line_break, line_indent
from agentbench_lsp.language.finding import Edit, Finding, Fix, Rule, Severity
from agentbench_lsp.language.task_document import ParamView, TaskDocument
from agentbench_lsp.models.paths import fold
from agentbench_lsp.syntax.nodes import PropertyNode

RULE = Rule("glob-in-path", Severity.ERROR, "A path with wildcards names one file", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every path param that is no file and has a wildcard."""
    for view in task.params("workspace_path"):
        path = fold(view.node.value)
        if is_glob(path) and path not in task.folded_files:
            matching = [p for key, p in task.folded_files.items() if fnmatchcase(key, path)]
            severity = Severity.ERROR if view.param.must_exist else Severity.WARNING
            names = ", ".join(p.key.value for p in matching[:5]) or "no file of the workspace"
            message = f"{view.node.value!r} is taken as the name of one file; there are no wildcards (it fits {names})"
            yield RULE.at(view.node.start, view.node.end, message, severity, fixes=_fixes(task, view, matching))


def is_glob(path: str) -> bool:
    """True for a path with a wildcard."""
    return any(sign in path for sign in "*?[")


def _fixes(task: TaskDocument, view: ParamView, matching: list[PropertyNode]) -> list[Fix]:
    if not matching:
        return []
    document, oracle = task.document, view.oracle.node
    before, after = document.text[oracle.start : view.node.start], document.text[view.node.end : oracle.end]
    copies = [before + json_text(p.key.value) + after for p in matching]
    own_lines = begins_line(document, oracle.start)
    separator = f",{line_break(document)}{line_indent(document, oracle.start)}" if own_lines else ", "
    title = f"One oracle for each of {len(matching)} files" if len(matching) > 1 else f"Write {matching[0].key.value}"
    return [Fix(title, (Edit(oracle.start, oracle.end, separator.join(copies)),))]

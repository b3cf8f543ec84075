"""The pattern does not match the workspace file as it is today.

## Why
That is right where the agent has to write the line, and a mistake where the line was to be protected. The message names
the line of the file that is most like the pattern.

## Example
```json
"workspace": { "t.py": "assert add(1, 2) == 3" },
"oracles": [{ "type": "assertion_exists", "path": "t.py", "pattern": "assert add\\\\(1, 2\\\\) == 4" }]
```

## Fix
If the line is to be protected, correct the pattern; the quick fix takes the nearest line. Otherwise nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.pattern_search import Outcome, nearest_line, outcome
from agentbench_lsp.language.regex_text import escape_regex
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("no-match-in-workspace", Severity.INFORMATION, "A pattern does not match today's file", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every pattern without a match and without a better explanation."""
    for view in task.patterns:
        if view.file is None or view.content is None or outcome(view, task.around) is not Outcome.NONE:
            continue
        path, near = view.file.key.value, nearest_line(view.pattern, view.content)
        message = f"{path} does not match this as it is now; it passes only if the agent changes that"
        fixes = []
        if near:
            number, line = near
            message += f". The nearest is line {number}: {line}"
            pattern = json_text(escape_regex(line))
            fixes = [replace(view.node.start, view.node.end, pattern, f"Match line {number}: {line[:60]}")]
        yield RULE.at(view.node.start, view.node.end, message, fixes=fixes)

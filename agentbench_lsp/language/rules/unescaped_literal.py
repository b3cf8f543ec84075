"""The pattern's own text stands in the file, but as a regex it does not match there.

## Why
`(`, `.`, `[` and others have a meaning in a regex. The oracle can only fail, although the line it asks for is there.

## Example
```json
{ "type": "assertion_exists", "path": "t.py", "pattern": "assert add(1, 2) == 3" }
```

## Fix
Escape the pattern: `"assert add\\\\(1, 2\\\\) == 3"`. The quick fix writes it, escaped for the regex and for JSON.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.pattern_search import Outcome, outcome
from agentbench_lsp.language.regex_text import escape_regex
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("unescaped-literal", Severity.WARNING, "A pattern looks literal but is not escaped", ("task",))


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every pattern that stands in its file and does not match it."""
    for view in task.patterns:
        if view.file is not None and outcome(view, task.around) is Outcome.LITERAL:
            escaped = escape_regex(view.pattern)
            message = f"{view.file.key.value} holds this text, but as a regex it does not match it; escaped: {escaped}"
            fix = replace(view.node.start, view.node.end, json_text(escaped), "Escape the pattern", safe=True)
            yield RULE.at(view.node.start, view.node.end, message, fixes=[fix])

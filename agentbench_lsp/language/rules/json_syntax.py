"""The text is not JSON: something is missing, superfluous, or written in a way JSON does not know.

## Why
Every reader of the file stops here. The rest of the document is still checked as far as its meaning is clear.

## Example
```json
{ "tags": ["a", "b",], }
```

## Fix
The message names what is missing or what to remove. JSON has no comments and no trailing commas, and a backslash in a
text is written twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("json-syntax", Severity.ERROR, "The text is not valid JSON")


def check(task: TaskDocument) -> Iterator[Finding]:
    """The parser's errors."""
    for fault in task.document.parsed.faults:
        yield RULE.at(fault.start, fault.end, fault.message)

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

from agentbench_lsp.language.finding import Edit, Finding, Fix, Rule, Severity
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.token_reader import Repair

RULE = Rule("json-syntax", Severity.ERROR, "The text is not valid JSON")


def check(view: DocumentView) -> Iterator[Finding]:
    """The parser's errors."""
    for fault in view.document.parsed.faults:
        yield RULE.at(fault.start, fault.end, fault.message, fixes=[_fix(fault.repair)] if fault.repair else [])


def _fix(repair: Repair) -> Fix:
    title = f"Write {repair.text}" if repair.text else "Remove it"
    return Fix(title, (Edit(repair.start, repair.end, repair.text),), safe=repair.certain)

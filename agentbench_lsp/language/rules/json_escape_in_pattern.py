"""JSON has read an escape that was meant for the regex: `\\b` became a backspace.

## Why
In JSON `"\\bfoo"` is a backspace and `foo`, which no source file holds; the regex's word boundary is `"\\\\bfoo"`.
`\\f` and `\\t` become the characters that the regex means as well, so they are only a hint.

## Example
```json
{ "type": "assertion_exists", "path": "t.py", "pattern": "\\bassert\\b" }
```

## Fix
Double the backslash: `"\\\\bassert\\\\b"`. (An escape that JSON does not know, such as `"\\d"`, is a syntax error with
the same fix.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentbench_lsp.language.finding import Edit, Finding, Fix, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("json-escape-in-pattern", Severity.WARNING, "JSON ate a backslash of a pattern", ("task",))
_ESCAPE = re.compile(r"\\(?:([bft])|.)", re.DOTALL)
_BECAME = {"b": "a backspace", "f": "a form feed", "t": "a tab"}


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every single `\\b`, `\\f`, `\\t` in a pattern."""
    for view in task.patterns:
        start, end = view.node.inner
        raw = view.node.source[start:end]
        for match in _ESCAPE.finditer(raw):
            if letter := match[1]:
                at = start + match.start()
                harmful = letter == "b"
                what = "a word boundary" if harmful else "the regex's own"
                meant = f"; {what} is written \\\\{letter}"
                yield RULE.at(
                    at,
                    at + 2,
                    f"JSON reads \\{letter} as {_BECAME[letter]}{meant}",
                    Severity.WARNING if harmful else Severity.HINT,
                    fixes=[Fix("Double the backslash", (Edit(at, at, "\\"),), safe=True)],
                )

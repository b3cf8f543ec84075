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

from agentbench_lsp.language.edits import apply_edits
from agentbench_lsp.language.finding import Edit, Finding, Fix, Rule, Severity
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.json_parser import parse
from agentbench_lsp.syntax.token_reader import Repair, SyntaxFault

RULE = Rule("json-syntax", Severity.ERROR, "The text is not valid JSON")


def check(view: DocumentView) -> Iterator[Finding]:
    """The parser's errors."""
    faults = view.document.parsed.faults
    safe = _is_settled(view, faults)
    for fault in faults:
        fixes = [_fix(fault.repair, safe)] if fault.repair else []
        yield RULE.at(fault.start, fault.end, fault.message, fixes=fixes)


def _is_settled(view: DocumentView, faults: list[SyntaxFault]) -> bool:
    """True where every repair is certain and all of them together make the text valid: then nothing is guessed."""
    repairs = [fault.repair for fault in faults if fault.repair and fault.repair.certain]
    if not faults or len(repairs) < len(faults):
        return False
    edits = [Edit(repair.start, repair.end, repair.text) for repair in repairs]
    return not parse(apply_edits(view.document.text, edits)).faults


def _fix(repair: Repair, safe: bool) -> Fix:
    title = f"Write {repair.text}" if repair.text else "Remove it"
    return Fix(title, (Edit(repair.start, repair.end, repair.text),), safe)

"""`ignore_rules` names a rule that does not exist.

## Why
A misspelled code silences nothing.

## Example
```json
"ignore_rules": ["unprotected-tests"]
```

## Fix
Write the code as the diagnostic shows it; completion offers all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from agentbench_lsp.language import diagnostics, verdicts
from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.rule_settings import IGNORE_FIELD, unknown_code
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ArrayNode, StringNode

RULE = Rule("unknown-rule", Severity.WARNING, "No rule has the code that is to be silent")


def check(view: DocumentView) -> Iterator[Finding]:
    """Every code of `ignore_rules`."""
    listed = view.field(IGNORE_FIELD)
    known = [*diagnostics.all_rules(), *verdicts.verdict_rules()]
    for node in listed.items if isinstance(listed, ArrayNode) else []:
        if isinstance(node, StringNode) and node.value and node.value not in known:
            near = get_close_matches(node.value, known, n=1, cutoff=0.6)
            fixes = [replace(node.start, node.end, json_text(near[0]), f"Write {near[0]}")] if near else []
            yield RULE.at(node.start, node.end, unknown_code(node.value, known), fixes=fixes)

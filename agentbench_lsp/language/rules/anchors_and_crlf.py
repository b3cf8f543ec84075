"""The pattern matches a file with CRLF line ends only because they are read as LF.

## Why
`$` stands before `\\n`, and the file has `\\r` there. This evaluator looks a second time with LF line ends; others,
such as AgentBench OS v0.1.0, do not, and the oracle fails there.

## Example
```json
"workspace": { "a.ini": "[printer]\\r\\nname=x\\r\\n" },
"oracles": [{ "type": "assertion_exists", "path": "a.ini", "pattern": "^name=x$" }]
```

## Fix
Allow for the `\\r`: `"^name=x\\\\r?$"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.pattern_search import Outcome, outcome
from agentbench_lsp.language.task_document import TaskDocument

RULE = Rule("anchors-and-crlf", Severity.INFORMATION, "A pattern matches CRLF lines only when read as LF", ("task",))
_LINE_END = re.compile(r"(\\\\)|(\\n|\n|(?<!\\)\$)")


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every pattern that only matches once line ends are LF."""
    for view in task.patterns:
        if view.file is not None and outcome(view, task.around) is Outcome.MATCHES_WITH_LF:
            allowing = _LINE_END.sub(lambda m: m[1] or rf"\r?{m[2]}", view.pattern)
            fixes = []
            if task.around.matches(allowing, view.content or ""):
                fixes = [replace(view.node.start, view.node.end, json_text(allowing), r"Allow for \r", safe=True)]
            message = (
                f"{view.file.key.value} has CRLF line ends; this matches only because they are also read as LF,"
                r" which not every evaluator does: write \r? before the line end"
            )
            yield RULE.at(view.node.start, view.node.end, message, fixes=fixes)

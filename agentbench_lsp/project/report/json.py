"""One JSON object: `passed`, `diagnostics`, `unreadable`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from agentbench_lsp.language.finding import Severity
from agentbench_lsp.project.checking import FileReport, Located


def write(reports: Sequence[FileReport]) -> str:
    """The report. Offsets in `fixes` are code points of the file's text."""
    diagnostics = [_diagnostic(report.path, found) for report in reports for found in report.found]
    unreadable = [{"path": r.path, "message": r.unreadable} for r in reports if r.unreadable is not None]
    passed = not unreadable and not any(d["severity"] == Severity.ERROR.value for d in diagnostics)
    value = {"passed": passed, "diagnostics": diagnostics, "unreadable": unreadable}
    return json.dumps(value, indent=2, ensure_ascii=False)


def _diagnostic(path: str, found: Located) -> dict[str, Any]:
    finding = found.finding
    fixes = [
        {
            "title": fix.title,
            "safe": fix.safe,
            "edits": [{"start": e.start, "end": e.end, "text": e.text} for e in fix.edits],
        }
        for fix in finding.fixes
    ]
    return {
        "path": path,
        "line": found.line,
        "column": found.column,
        "end_line": found.end_line,
        "end_column": found.end_column,
        "severity": finding.severity.value,
        "code": finding.code,
        "message": finding.message,
        "fixes": fixes,
    }

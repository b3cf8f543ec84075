"""A line per finding: `path:line:column: severity code message`. Hints are left out."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_lsp.gate.report.text_report import visible
from agentbench_lsp.language.finding import Severity
from agentbench_lsp.project.checking import FileReport


def write(reports: Sequence[FileReport]) -> str:
    """The report."""
    lines = []
    for report in reports:
        path = visible(report.path)
        if report.unreadable is not None:
            lines.append(f"{path}:1:1: error unreadable {visible(report.unreadable)}")
        for found in report.found:
            finding = found.finding
            if finding.severity is not Severity.HINT:
                where = f"{path}:{found.line}:{found.column}"
                lines.append(f"{where}: {finding.severity.value} {finding.code} {visible(finding.message)}")
    return "\n".join(lines)

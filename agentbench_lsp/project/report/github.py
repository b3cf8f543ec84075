"""GitHub Actions workflow commands: findings become annotations of the pull request. Hints are left out."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_lsp.language.finding import Severity
from agentbench_lsp.project.checking import FileReport

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "notice"}


def write(reports: Sequence[FileReport]) -> str:
    """The report."""
    lines = []
    for report in reports:
        file = _property(report.path)
        if report.unreadable is not None:
            lines.append(f"::error file={file},title=unreadable::{_data(report.unreadable)}")
        for found in report.found:
            level = _LEVELS.get(found.finding.severity)
            if level:
                where = f"file={file},line={found.line},col={found.column},endLine={found.end_line}"
                if found.line == found.end_line:
                    where += f",endColumn={found.end_column}"
                lines.append(f"::{level} {where},title={found.finding.code}::{_data(found.finding.message)}")
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

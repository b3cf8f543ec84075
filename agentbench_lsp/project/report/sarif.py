"""SARIF 2.1.0, for code scanning and other tools. Every rule is described with its documentation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from agentbench_lsp import __version__
from agentbench_lsp.language.finding import Rule, Severity
from agentbench_lsp.project.checking import FileReport, Located
from agentbench_lsp.project.rule_pages import documented_rules, page

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "none",
}


def write(reports: Sequence[FileReport]) -> str:
    """The report. Columns count code points."""
    rules = documented_rules()
    order = {code: i for i, code in enumerate(rules)}
    results = [_result(report.path, found, order) for report in reports for found in report.found]
    notifications = [
        {"level": "error", "message": {"text": r.unreadable}, "locations": [{"physicalLocation": _artifact(r.path)}]}
        for r in reports
        if r.unreadable is not None
    ]
    driver = {
        "name": "agentbench",
        "semanticVersion": __version__,
        "rules": [_descriptor(rule) for rule, _ in rules.values()],
    }
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}],
        "results": results,
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _descriptor(rule: Rule) -> dict[str, Any]:
    text = page(rule.code)
    return {
        "id": rule.code,
        "name": rule.code.title().replace("-", ""),
        "shortDescription": {"text": rule.title},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _artifact(path: str) -> dict[str, Any]:
    pure = Path(path)
    uri = pure.as_uri() if pure.is_absolute() else quote(pure.as_posix())
    return {"artifactLocation": {"uri": uri}}


def _result(path: str, found: Located, order: dict[str, int]) -> dict[str, Any]:
    finding = found.finding
    region = {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.end_line,
        "endColumn": found.end_column,
    }
    return {
        "ruleId": finding.code,
        "ruleIndex": order[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {**_artifact(path), "region": region}}],
    }

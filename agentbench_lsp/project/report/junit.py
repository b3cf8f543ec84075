"""JUnit XML: a test case per file, failed where it has errors; other findings are its output. Hints are left out."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from agentbench_lsp.gate.report.text_report import visible
from agentbench_lsp.language.finding import Severity
from agentbench_lsp.project.checking import FileReport, Located


def write(reports: Sequence[FileReport]) -> str:
    """The report."""
    suite = ElementTree.Element("testsuite", name="agentbench check")
    failures = errors = 0
    for report in reports:
        case = ElementTree.SubElement(suite, "testcase", classname="agentbench.check", name=visible(report.path))
        wrong = [found for found in report.found if found.finding.severity is Severity.ERROR]
        others = [f for f in report.found if f.finding.severity in (Severity.WARNING, Severity.INFORMATION)]
        if report.unreadable is not None:
            errors += 1
            ElementTree.SubElement(case, "error", message=visible(report.unreadable), type="unreadable")
        elif wrong:
            failures += 1
            first = wrong[0].finding
            failure = ElementTree.SubElement(case, "failure", message=visible(first.message), type=first.code)
            failure.text = "\n".join(map(_line, wrong))
        if others:
            ElementTree.SubElement(case, "system-out").text = "\n".join(map(_line, others))
    counts = {"tests": len(reports), "failures": failures, "errors": errors}
    for name, number in counts.items():
        suite.set(name, str(number))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _line(found: Located) -> str:
    finding = found.finding
    return f"{found.line}:{found.column}: {finding.severity.value} {finding.code} {visible(finding.message)}"

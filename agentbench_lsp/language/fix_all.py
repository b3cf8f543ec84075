"""All safe fixes of a document, until none is left."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from agentbench_lsp.language.diagnostics import diagnose
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import apply_edits
from agentbench_lsp.language.finding import Edit, Finding
from agentbench_lsp.language.rule_settings import NO_SETTINGS, RuleSettings
from agentbench_lsp.language.surroundings import NOWHERE, Surroundings
from agentbench_lsp.oracles.base import OracleSpec

_MOST_ROUNDS = 10


def safe_edits(findings: Iterable[Finding], codes: Container[str] | None = None) -> list[Edit]:
    """Edits of the safe fixes that do not overlap, the first fix of each finding; `codes`: of these rules only."""
    chosen: list[Edit] = []
    for finding in findings:
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        if fix is None or (codes is not None and finding.code not in codes):
            continue
        if not any(_overlap(edit, other) for edit in fix.edits for other in chosen):
            chosen += fix.edits
    return chosen


def _overlap(a: Edit, b: Edit) -> bool:
    if a.start == a.end or b.start == b.end:
        return a.start <= b.end and b.start <= a.end
    return a.start < b.end and b.start < a.end


def fix_all(
    document: Document,
    specs: Mapping[str, OracleSpec],
    around: Surroundings = NOWHERE,
    settings: RuleSettings = NO_SETTINGS,
    path: str = "",
) -> Document:
    """The document with all safe fixes. One fix may make another one possible, so this goes in rounds."""
    for _ in range(_MOST_ROUNDS):
        edits = safe_edits(diagnose(document, specs, around, settings, path))
        if not edits:
            break
        document = Document(apply_edits(document.text, edits), document.path)
    return document

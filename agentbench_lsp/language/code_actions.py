"""What can be done at a selection: fixes of findings, silencing a rule here, fixing all that is safe, refactorings."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from agentbench_lsp.language.edits import add_to_list_field
from agentbench_lsp.language.finding import Edit, Finding
from agentbench_lsp.language.fix_all import safe_edits
from agentbench_lsp.language.refactoring import RefactoringKind
from agentbench_lsp.language.refactorings import all_offers
from agentbench_lsp.language.rule_settings import IGNORE_FIELD
from agentbench_lsp.language.view import DocumentView

_log = logging.getLogger(__name__)
FIX_ALL: Final = "source.fixAll.agentbench"
ActionKind = Literal["quickfix", "source.fixAll.agentbench"] | RefactoringKind


@dataclass(frozen=True, slots=True)
class Action:
    """A change that is offered. `finding` is what it settles; `preferred` if it is the likely one and safe."""

    title: str
    kind: ActionKind
    edits: tuple[Edit, ...]
    finding: Finding | None = None
    preferred: bool = False


def code_actions(view: DocumentView, findings: Sequence[Finding], start: int, end: int) -> Iterator[Action]:
    """Actions for a selection. `findings` are all of the document."""
    here = [f for f in findings if f.start <= end and start <= f.end]
    for finding in here:
        for i, fix in enumerate(finding.fixes):
            yield Action(fix.title, "quickfix", fix.edits, finding, preferred=fix.safe and i == 0)
    edits = safe_edits(findings)
    if edits:
        yield Action("Fix all that is safe to fix", FIX_ALL, tuple(edits))
    for code in dict.fromkeys(f.code for f in here):
        if edit := add_to_list_field(view.document, IGNORE_FIELD, code):
            finding = next(f for f in here if f.code == code)
            yield Action(f"Silence {code} in this file", "quickfix", (edit,), finding)
    for offer in all_offers():
        try:
            for found in offer(view, start, end):
                yield Action(found.title, found.kind, found.edits)
        except Exception:  # noqa: BLE001 - one refactoring must not silence the others
            _log.exception("%s crashed", offer.__module__)

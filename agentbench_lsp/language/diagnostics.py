"""All findings of a document."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from agentbench_lsp.language import rules
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Check, Finding, Rule
from agentbench_lsp.language.manifest_document import ManifestDocument
from agentbench_lsp.language.rule_settings import NO_SETTINGS, RuleSettings
from agentbench_lsp.language.session_document import SessionDocument
from agentbench_lsp.language.surroundings import NOWHERE, Surroundings
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.trajectory_document import TrajectoryDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.oracles.base import OracleSpec

_log = logging.getLogger(__name__)
_VIEWS: dict[str, type[DocumentView]] = {
    "task": TaskDocument,
    "trajectory": TrajectoryDocument,
    "manifest": ManifestDocument,
    "session": SessionDocument,
}


class KnownRule(NamedTuple):
    """A rule, its check, its docs page."""

    rule: Rule
    check: Check
    page: str


@cache
def all_rules() -> dict[str, KnownRule]:
    """Rules by code. A module put in `rules/` is a rule by being there."""
    found = {}
    for info in iter_modules(rules.__path__):
        module = import_module(f"{rules.__name__}.{info.name}")
        found[module.RULE.code] = KnownRule(module.RULE, module.check, module.__doc__ or "")
    return found


def view_of(document: Document, specs: Mapping[str, OracleSpec], around: Surroundings = NOWHERE) -> DocumentView | None:
    """The view of the document's kind; None for a document that is not ours."""
    return _VIEWS[document.kind](document, specs, around) if document.kind else None


def diagnose(
    document: Document,
    specs: Mapping[str, OracleSpec],
    around: Surroundings = NOWHERE,
    settings: RuleSettings = NO_SETTINGS,
    path: str = "",
) -> list[Finding]:
    """Findings in document order; none for a document that is not ours. `path` is relative to the project."""
    view = view_of(document, specs, around)
    return [] if view is None else findings(view, settings, path)


def findings(view: DocumentView, settings: RuleSettings = NO_SETTINGS, path: str = "") -> list[Finding]:
    """Findings in document order. A rule that crashes is logged, not raised."""
    found: list[Finding] = []
    silent = settings.silent(path, view)
    for code, known in all_rules().items():
        if view.document.kind in known.rule.kinds and code not in silent:
            try:
                found += known.check(view)
            except Exception:  # noqa: BLE001 - one rule must not silence the others
                _log.exception("rule %s crashed", code)
    kept = settings.apply(dict.fromkeys(found), path, view)
    return sorted(kept, key=lambda f: (f.start, f.end, f.code))

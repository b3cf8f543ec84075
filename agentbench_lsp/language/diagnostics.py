"""All findings of a document."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from agentbench_lsp.language import rules
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Check, Finding, Rule
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.oracles.base import OracleSpec

_log = logging.getLogger(__name__)


@cache
def all_rules() -> dict[str, tuple[Rule, Check, str]]:
    """Rule, check and docs page by code. A module put in `rules/` is a rule by being there."""
    found = {}
    for info in iter_modules(rules.__path__):
        module = import_module(f"{rules.__name__}.{info.name}")
        found[module.RULE.code] = (module.RULE, module.check, module.__doc__ or "")
    return found


def diagnose(document: Document, specs: Mapping[str, OracleSpec]) -> list[Finding]:
    """Findings in document order; none for a document that is not ours. A rule that crashes is logged, not raised."""
    if document.kind is None:
        return []
    task = TaskDocument(document, specs)
    found: list[Finding] = []
    for rule, check, _ in all_rules().values():
        if document.kind in rule.kinds:
            try:
                found += check(task)
            except Exception:  # noqa: BLE001 - one rule must not silence the others
                _log.exception("rule %s crashed", rule.code)
    return sorted(dict.fromkeys(found), key=lambda f: (f.start, f.end, f.code))

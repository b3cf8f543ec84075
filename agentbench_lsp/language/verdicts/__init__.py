"""What evaluations found, as findings: one file per kind, which is also its docs page."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from agentbench_lsp.language.finding import Rule


@cache
def verdict_rules() -> dict[str, tuple[Rule, str]]:
    """Rule and page of each file here that has a `RULE`, by code."""
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    ruled = [(module.RULE, module.__doc__ or "") for module in modules if hasattr(module, "RULE")]
    return {rule.code: (rule, page) for rule, page in ruled}

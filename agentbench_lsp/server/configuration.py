"""The user's settings: section `agentbench` of the editor's configuration, or the initialization options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentbench_lsp.language.rule_settings import RuleSettings, read_severities
from agentbench_lsp.project.rule_pages import documented_rules

SECTION = "agentbench"


@dataclass(frozen=True)
class Configuration:
    """`problems` is what could not be understood; the rest then has its default."""

    rules: RuleSettings = field(default_factory=RuleSettings)
    syntax_errors: bool = True  # report `json-syntax`; off where the editor does that itself
    inlay_hints: bool = True
    code_lenses: bool = True
    workspace_diagnostics: bool = True  # check files that are not open
    problems: tuple[str, ...] = ()

    @classmethod
    def of(cls, value: Any) -> Configuration:
        """Settings: `severity`, `ignoreRules`, `syntaxErrors`, `inlayHints`, `codeLenses`, `workspaceDiagnostics`."""
        settings = value if isinstance(value, Mapping) else {}
        wanted = settings.get("severity")
        severity, problems = read_severities(wanted, documented_rules()) if wanted else ({}, [])
        ignored = settings.get("ignoreRules")
        ignore = tuple(code for code in ignored if isinstance(code, str)) if isinstance(ignored, list) else ()
        return cls(
            RuleSettings(severity, ignore=ignore),
            settings.get("syntaxErrors") is not False,
            settings.get("inlayHints") is not False,
            settings.get("codeLenses") is not False,
            settings.get("workspaceDiagnostics") is not False,
            tuple(f"setting {SECTION}.{problem}" for problem in problems),
        )

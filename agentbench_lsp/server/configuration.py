"""The user's settings: section `agentbench` of the editor's configuration, or the initialization options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentbench_lsp.language.rule_settings import RuleSettings, read_severities
from agentbench_lsp.project.rule_pages import documented_rules
from agentbench_lsp.runner.sandbox import SandboxMode

SECTION = "agentbench"


@dataclass(frozen=True)
class Configuration:
    """`problems` is what could not be understood; the rest then has its default."""

    rules: RuleSettings = field(default_factory=RuleSettings)
    syntax_errors: bool = True  # report `json-syntax`; off where the editor does that itself
    inlay_hints: bool = True
    code_lenses: bool = True
    workspace_diagnostics: bool = True  # check files that are not open
    interpreter: str | None = None  # of the worker; None: the server's own
    sandbox: SandboxMode = "off"
    evaluate_on_save: bool = False
    baseline_on_save: bool = False  # of tasks whose oracles run nothing
    problems: tuple[str, ...] = ()

    @classmethod
    def of(cls, value: Any) -> Configuration:
        """Settings, by the names of docs/settings.md."""
        settings = value if isinstance(value, Mapping) else {}
        wanted = settings.get("severity")
        severity, problems = read_severities(wanted, documented_rules()) if wanted else ({}, [])
        ignored = settings.get("ignoreRules")
        ignore = tuple(code for code in ignored if isinstance(code, str)) if isinstance(ignored, list) else ()
        interpreter, sandbox = settings.get("interpreter"), settings.get("sandbox")
        if sandbox not in (None, "off", "auto"):
            problems = [*problems, f'sandbox is {sandbox!r}; it can be "off" or "auto"']
        return cls(
            RuleSettings(severity, ignore=ignore),
            syntax_errors=settings.get("syntaxErrors") is not False,
            inlay_hints=settings.get("inlayHints") is not False,
            code_lenses=settings.get("codeLenses") is not False,
            workspace_diagnostics=settings.get("workspaceDiagnostics") is not False,
            interpreter=interpreter if isinstance(interpreter, str) and interpreter else None,
            sandbox="auto" if sandbox == "auto" else "off",
            evaluate_on_save=settings.get("evaluateOnSave") is True,
            baseline_on_save=settings.get("baselineOnSave") is True,
            problems=tuple(f"setting {SECTION}.{problem}" for problem in problems),
        )

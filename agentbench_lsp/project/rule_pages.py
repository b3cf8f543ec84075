"""The documentation of a rule: as text, and where its page is on disk."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import agentbench_lsp
from agentbench_lsp.language.diagnostics import all_rules
from agentbench_lsp.language.finding import Rule
from agentbench_lsp.language.verdicts import verdict_rules


@cache
def documented_rules() -> dict[str, tuple[Rule, str]]:
    """Every code that a diagnostic may have: its rule and its page's source, by code."""
    rules = {code: (known.rule, known.page) for code, known in all_rules().items()}
    return dict(sorted((rules | verdict_rules()).items()))


def page(code: str) -> str:
    """The docs page of a rule, as Markdown. Raises KeyError."""
    rule, source = documented_rules()[code]
    what, _, rest = source.strip().partition("\n## Why")
    head = f"# `{code}`\n\n{rule.title}. Default severity: {rule.severity.value}; looks at: {', '.join(rule.kinds)}."
    silence = f'Silence it in one file with `"ignore_rules": ["{code}"]`, in a project with `{code} = "off"` below'
    return (
        f"{head}\n\n## What it checks\n\n{what.strip()}\n\n## Why{rest}\n\n"
        f"{silence}\n`[tool.agentbench.severity]` in `pyproject.toml`.\n"
    )


@cache
def page_uri(code: str) -> str | None:
    """Address of a rule's page: of the installed package, or of the repository the package is in."""
    package = Path(agentbench_lsp.__file__).resolve().parent
    for folder in (package / "docs" / "rules", package.parent / "docs" / "rules"):
        if (path := folder / f"{code}.md").is_file():
            return path.as_uri()
    return None

"""Writes the generated pages: docs/rules/*.md from the rules' docstrings, docs/oracles.md from the catalogue."""

from __future__ import annotations

from pathlib import Path

import agentbench_lsp.oracles  # noqa: F401 - registers the built-in types
from agentbench_lsp.language.oracle_docs import oracle_markdown
from agentbench_lsp.oracles.base import registered_specs
from agentbench_lsp.project.rule_pages import documented_rules, page

DOCS = Path(__file__).resolve().parent


def pages() -> dict[str, str]:
    """Every generated page by its path below `docs`."""
    found = {f"rules/{code}.md": page(code) for code in documented_rules()}
    rows = [
        f"| [`{code}`]({code}.md) | {rule.severity.value} | {rule.title} |"
        for code, (rule, _) in documented_rules().items()
    ]
    table = "\n".join(["| code | severity | what it finds |", "|---|---|---|", *rows])
    found["rules/README.md"] = (
        f"# Diagnostics\n\nGenerated from the rules; `python3 dev.py docs` writes it anew.\n\n{table}\n"
    )
    parts = [f"## `{spec.type}`\n\n{oracle_markdown(spec)}" for spec in registered_specs().values()]
    head = "# Oracle types\n\nGenerated from the oracles; `python3 dev.py docs` writes it anew."
    found["oracles.md"] = "\n\n".join([head, *parts]) + "\n"
    return found


if __name__ == "__main__":
    for name, content in pages().items():
        (DOCS / name).parent.mkdir(exist_ok=True)
        (DOCS / name).write_text(content, encoding="utf-8")

"""`agentbench explain`: the documentation of a diagnostic."""

from __future__ import annotations

import click

from agentbench_lsp.cli.output import fail
from agentbench_lsp.language.rule_settings import unknown_code
from agentbench_lsp.project.rule_pages import documented_rules, page


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Print what the diagnostic CODE means and how to settle it; without CODE, list all."""
    rules = documented_rules()
    if code is None:
        width = max(map(len, rules))
        for name, (rule, _) in rules.items():
            click.echo(f"{name:{width}}  {rule.severity.value:11}  {rule.title}")
    elif code in rules:
        click.echo(page(code), nl=False)
    else:
        raise fail(unknown_code(code, rules) + " (agentbench explain lists all)")

"""`agentbench schema`: the JSON Schema of a kind of document."""

from __future__ import annotations

import json
from typing import get_args

import click

import agentbench_lsp.oracles  # noqa: F401 - the schema is made from the registered oracles
from agentbench_lsp.dsl.schema import DocumentKind, document_schema


@click.command("schema")
@click.argument("kind", type=click.Choice(get_args(DocumentKind)))
def command(kind: DocumentKind) -> None:
    """Print the JSON Schema (draft 2020-12) of a task, a trajectory or a manifest."""
    click.echo(json.dumps(document_schema(kind), indent=2, ensure_ascii=False))

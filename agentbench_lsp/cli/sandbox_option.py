"""The `--sandbox` option."""

from __future__ import annotations

import click

sandbox_option = click.option(
    "--sandbox",
    type=click.Choice(["off", "auto"]),
    default="off",
    help="auto: commands run in bubblewrap where it works, without network, and can write only the workspace.",
)

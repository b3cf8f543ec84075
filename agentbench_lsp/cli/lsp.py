"""`agentbench lsp`: the language server."""

from __future__ import annotations

import gc
import logging
import sys

import click


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Serve on stdin and stdout (the default).")
@click.option("--tcp", metavar="HOST:PORT", help="Listen on an address and serve the first client.")
@click.option("--log-level", default="warning", type=click.Choice(["debug", "info", "warning", "error"]))
def command(stdio: bool, tcp: str | None, log_level: str) -> None:
    """Serve an editor."""
    if stdio and tcp:
        raise click.UsageError("--stdio and --tcp exclude each other")
    address = _address(tcp) if tcp else None
    logging.basicConfig(stream=sys.stderr, level=log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    gc.disable()  # until the client is served: collecting while modules are imported costs a tenth of the start
    from agentbench_lsp.server.app import create_server
    from agentbench_lsp.server.transport import serve_stdio, serve_tcp

    if address:
        try:
            serve_tcp(create_server(), *address)
        except OSError as exc:
            raise click.UsageError(f"--tcp {tcp}: {exc.strerror or exc}") from None
    else:
        serve_stdio(create_server())


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise click.BadParameter(f"{text!r} is not HOST:PORT", param_hint="--tcp")
    return host.strip("[]"), int(port)

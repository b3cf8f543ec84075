"""Entry points of the console scripts."""

from __future__ import annotations

import importlib
import sys
from io import TextIOWrapper

import click

from agentbench_lsp import __version__
from agentbench_lsp.runner.quiet import quiet_regexes

_COMMANDS = {
    **{name: name for name in ("run", "gate", "report", "check", "explain", "schema", "lsp")},
    "import": "import_session",  # a module cannot have the name
}


class _LazyGroup(click.Group):
    """Imports a subcommand's module when it is called: `check` must not pay for the server's imports."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"agentbench_lsp.cli.{_COMMANDS[cmd_name]}")
        command: click.Command = module.command
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="agentbench")
def cli() -> None:
    """Evaluate agent trajectories against tasks, check task files, serve editors."""


def main() -> None:
    """`agentbench` and `python -m agentbench_lsp`."""
    quiet_regexes()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    cli(prog_name="agentbench")


def lsp_main() -> None:
    """`agentbench-lsp`: the language server."""
    from agentbench_lsp.cli.lsp import command

    quiet_regexes()
    command(prog_name="agentbench-lsp")

"""Writing reports: colours and progress on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NoReturn

import click

from agentbench_lsp.gate.report import json_report, text_report
from agentbench_lsp.gate.report.text_report import Line, visible
from agentbench_lsp.gate.stopping import Stopped, stoppable
from agentbench_lsp.models.task import RunResult

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"pass": "bold green", "fail": "bold red", "error": "bold magenta", "warning": "yellow", "plain": ""}


class Output:
    """Collects results and writes them: text as each task ends, JSON at the end, nothing where it is quiet."""

    def __init__(self, as_json: bool, quiet: bool = False) -> None:
        self.results: list[RunResult] = []
        self._json, self._quiet = as_json, quiet
        self._console = _console() if not as_json and sys.stdout.isatty() else None

    def add(self, result: RunResult) -> None:
        self.results.append(result)
        if not self._json and not self._quiet:
            for line in text_report.task_lines(result):
                self._write(line)
            sys.stdout.flush()

    def end(self, stopped: str | None = None) -> None:
        """Write what stands at the end; `stopped` names the signal that ended the run."""
        if self._quiet:
            return
        if not self._json:
            self._write(text_report.summary_line(self.results, stopped))
        else:
            report = json_report.report(self.results)
            if stopped:
                report |= {"passed": False, "stopped": stopped}
            click.echo(json.dumps(report, indent=2, default=str))
        sys.stdout.flush()

    @contextlib.contextmanager
    def progress(self) -> Iterator[Callable[[str], None]]:
        """A function that shows on a terminal what is being worked on, until the block ends."""
        if self._console is None:
            yield lambda what: None
        else:
            from rich.text import Text

            with self._console.status(Text("")) as status:
                yield lambda what: status.update(Text(f"evaluating {visible(what)}"))

    def _write(self, line: Line) -> None:
        if self._console is None:
            sys.stdout.write("".join(text for text, _ in line) + "\n")
        else:
            from rich.text import Text

            text = Text.assemble(*[(part, _STYLES[style]) for part, style in line])
            self._console.print(text, soft_wrap=True, highlight=False)

    @property
    def exit_code(self) -> int:
        """2: something could not be judged; 1: something failed; 0: all passed. A baseline should not pass."""
        if not self.results or any(r.error is not None for r in self.results):
            return 2
        return 0 if all(r.passed != r.baseline for r in self.results) else 1


def run_to_end(output: Output, work: Callable[[], None]) -> NoReturn:
    """Do the work, write the end of the report, and leave with its exit code; also where a signal stops the work."""
    try:
        with stoppable():
            work()
            output.end()
    except Stopped as stop:
        output.end(stop.name)
        raise click.exceptions.Exit(stop.exit_code) from None
    raise click.exceptions.Exit(output.exit_code)


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def fail(message: str) -> click.exceptions.Exit:
    """Say on stderr why nothing can be judged; raise the result."""
    click.echo("agentbench: " + "\n  ".join(visible(line) for line in message.splitlines()), err=True)
    return click.exceptions.Exit(2)

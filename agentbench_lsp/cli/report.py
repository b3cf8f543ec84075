"""`agentbench report`: an evaluation as a page."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from agentbench_lsp.cli.output import Output, fail, run_to_end
from agentbench_lsp.cli.sandbox_option import sandbox_option
from agentbench_lsp.cli.trajectory_option import Recording, trajectory_option
from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import find_project
from agentbench_lsp.gate import task_files
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.report.html_report import html_report
from agentbench_lsp.runner.sandbox import SandboxMode


@click.command("report")
@click.option("--task", "task_path", required=True, type=click.Path(path_type=Path), help="Task file.")
@trajectory_option()
@click.option(
    "-o", "--output", "target", required=True, type=click.Path(path_type=Path, allow_dash=True), help="HTML file, or -."
)
@sandbox_option
def command(task_path: Path, recording: Recording, target: Path, sandbox: SandboxMode) -> None:
    """Evaluate one task and write a self-contained HTML page: timeline, steps with diffs, verdict and output.

    Exit code 0: all oracles passed; 1: some failed; 2: it could not be judged, or the page not be written.
    """
    output = Output(as_json=False, quiet=str(target) == "-")

    def work() -> None:
        try:
            catalogue = Catalogue(find_project(task_path))
            task = task_files.load_task(task_path, catalogue)
        except task_files.UNREADABLE as exc:
            raise fail(f"the task {task_path} cannot be used: {task_files.say(exc)}") from None
        recorded = recording.load()
        evaluator = Evaluator(catalogue, sandbox=sandbox)
        try:
            result = evaluator.compare_untouched(task, recorded, evaluator.evaluate(task, recorded))
        except OSError as exc:
            raise fail(f"the workspace cannot be made: {exc}") from None
        result = replace(result, task_file=str(task_path))
        _write(target, html_report(task, recorded, result, catalogue))
        output.add(result)

    run_to_end(output, work)


def _write(target: Path, page: str) -> None:
    if str(target) == "-":
        sys.stdout.write(page)
        return
    try:
        target.write_text(page, encoding="utf-8", newline="")
    except OSError as exc:
        raise fail(f"{target} cannot be written: {exc.strerror or exc}") from None

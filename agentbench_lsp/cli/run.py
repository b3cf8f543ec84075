"""`agentbench run`: one task against one trajectory."""

from __future__ import annotations

from pathlib import Path

import click

from agentbench_lsp.cli.output import Output, fail, run_to_end
from agentbench_lsp.cli.trajectory_option import load_trajectory
from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import find_project
from agentbench_lsp.gate import task_files
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.models.task import EvalTask, RunResult


@click.command("run")
@click.option("--task", "task_path", required=True, type=click.Path(path_type=Path), help="Task file.")
@click.option("--trajectory", "trajectory_path", required=True, type=click.Path(path_type=Path), help="Recorded run.")
@click.option("--oracle", type=click.IntRange(min=0), metavar="N", help="Only the oracle at index N, counted from 0.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--keep-workspace", is_flag=True, help="Keep the folder the commands ran in, and print its path.")
def command(task_path: Path, trajectory_path: Path, oracle: int | None, as_json: bool, keep_workspace: bool) -> None:
    """Evaluate one task.

    Exit code 0: all oracles passed; 1: some failed; 2: it could not be judged.
    """
    output = Output(as_json)

    def work() -> None:
        loaded = _load(task_path)
        if not isinstance(loaded, RunResult):
            loaded = _evaluate(loaded, task_path, trajectory_path, oracle, keep_workspace, output)
        output.add(loaded)

    run_to_end(output, work)


def _load(path: Path) -> tuple[EvalTask, Catalogue] | RunResult:
    try:
        catalogue = Catalogue(find_project(path))
        return task_files.load_task(path, catalogue), catalogue
    except task_files.UNREADABLE as exc:
        return RunResult("", False, task_file=str(path), error=task_files.say(exc))


def _evaluate(
    loaded: tuple[EvalTask, Catalogue], path: Path, trajectory_path: Path, only: int | None, keep: bool, output: Output
) -> RunResult:
    task, catalogue = loaded
    trajectory = load_trajectory(trajectory_path)
    try:
        with output.progress() as show:
            show(path.name)
            result = Evaluator(catalogue).evaluate(task, trajectory, keep, only)
    except IndexError as exc:
        raise fail(f"--oracle: {exc}") from None
    except OSError as exc:
        return RunResult(task.id, False, task_file=str(path), error=f"the workspace cannot be made: {exc}")
    result.task_file = str(path)
    return result

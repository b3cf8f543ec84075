"""`agentbench run`: one task against one trajectory, or against none."""

from __future__ import annotations

from pathlib import Path

import click

from agentbench_lsp.cli.output import Output, fail, run_to_end
from agentbench_lsp.cli.sandbox_option import sandbox_option
from agentbench_lsp.cli.trajectory_option import Recording, trajectory_option
from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import find_project
from agentbench_lsp.gate import task_files
from agentbench_lsp.gate.baseline import with_baseline
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.models.task import EvalTask, RunResult
from agentbench_lsp.runner.sandbox import SandboxMode
from agentbench_lsp.runner.trajectory import Trajectory


@click.command("run")
@click.option("--task", "task_path", required=True, type=click.Path(path_type=Path), help="Task file.")
@trajectory_option(required=False)
@click.option("--baseline", is_flag=True, help="Without a trajectory: what passes before the agent does anything?")
@click.option("--oracle", type=click.IntRange(min=0), metavar="N", help="Only the oracle at index N, counted from 0.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--keep-workspace", is_flag=True, help="Keep the folder the commands ran in, and print its path.")
@click.option(
    "--untouched/--no-untouched",
    default=True,
    help="Run commands that passed on the untouched workspace too, and warn where they pass there (default).",
)
@sandbox_option
def command(
    task_path: Path,
    recording: Recording | None,
    baseline: bool,
    oracle: int | None,
    as_json: bool,
    keep_workspace: bool,
    untouched: bool,
    sandbox: SandboxMode,
) -> None:
    """Evaluate one task.

    Exit code 0: all oracles passed; 1: some failed; 2: it could not be judged. With --baseline 0: the task measures
    something; 1: it passes before the agent does anything.
    """
    if baseline == (recording is not None):
        raise fail("give --trajectory FILE, or --baseline to evaluate without one; not both")
    output = Output(as_json)

    def work() -> None:
        loaded = _load(task_path)
        if isinstance(loaded, RunResult):
            output.add(loaded)
            return
        task, catalogue = loaded
        recorded = recording.load() if recording else Trajectory([])
        evaluator = Evaluator(catalogue, sandbox=sandbox)
        result = _evaluate(evaluator, task, recorded, oracle, keep_workspace, task_path, output)
        if result.error is None and baseline:
            result = with_baseline(task, result, catalogue)
        elif result.error is None and untouched:
            result = evaluator.compare_untouched(task, recorded, result)
        result.task_file = str(task_path)
        output.add(result)

    run_to_end(output, work)


def _load(path: Path) -> tuple[EvalTask, Catalogue] | RunResult:
    try:
        catalogue = Catalogue(find_project(path))
        return task_files.load_task(path, catalogue), catalogue
    except task_files.UNREADABLE as exc:
        return RunResult("", False, task_file=str(path), error=task_files.say(exc))


def _evaluate(
    evaluator: Evaluator, task: EvalTask, recorded: Trajectory, only: int | None, keep: bool, path: Path, output: Output
) -> RunResult:
    try:
        with output.progress() as show:
            show(path.name)
            return evaluator.evaluate(task, recorded, keep, only)
    except IndexError as exc:
        raise fail(f"--oracle: {exc}") from None
    except OSError as exc:
        return RunResult(task.id, False, error=f"the workspace cannot be made: {exc}")

"""`agentbench gate`: a folder of tasks against one trajectory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click

from agentbench_lsp.cli.output import Output, fail, run_to_end
from agentbench_lsp.cli.sandbox_option import sandbox_option
from agentbench_lsp.cli.trajectory_option import Recording, trajectory_option
from agentbench_lsp.dsl.project import ProjectError
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.manifest import ManifestError, selected_names
from agentbench_lsp.models.task import RunResult
from agentbench_lsp.runner.sandbox import SandboxMode


@click.command("gate")
@click.option(
    "--tasks", "--task", "tasks", required=True, type=click.Path(path_type=Path), help="Folder of task files."
)
@trajectory_option()
@click.option("--manifest", type=click.Path(path_type=Path), help="JSON file that selects tasks of the folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@sandbox_option
def command(tasks: Path, recording: Recording, manifest: Path | None, as_json: bool, sandbox: SandboxMode) -> None:
    """Evaluate the tasks of a folder, or those a manifest selects.

    Exit code 0: all passed; 1: some failed; 2: something could not be judged.
    """
    output = Output(as_json)
    run_to_end(output, lambda: _gate(tasks, recording, manifest, sandbox, output))


def _gate(tasks: Path, recording: Recording, manifest: Path | None, sandbox: SandboxMode, output: Output) -> None:
    with output.progress() as show:
        for result in _results(tasks, recording, manifest, Evaluator(sandbox=sandbox), show):
            output.add(result)
    if not output.results:
        raise fail(f"there is no task file in {tasks}, so there is nothing to evaluate")


def _results(
    tasks: Path,
    recording: Recording,
    manifest: Path | None,
    evaluator: Evaluator,
    on_start: Callable[[str], None],
) -> Iterator[RunResult]:
    try:
        if manifest is not None:
            selected_names(manifest, tasks)  # a bad manifest is told before a bad trajectory
        trajectory = recording.load()
        return evaluator.iterate_directory(tasks, trajectory, manifest, on_start=on_start)
    except OSError as exc:
        raise fail(f"the tasks folder {tasks} cannot be read: {exc.strerror or exc}") from None
    except (ManifestError, ProjectError) as exc:
        raise fail(str(exc)) from None

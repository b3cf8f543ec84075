"""The verdict on tasks: replay, then every oracle (seed: `agentbench.gate.evaluator`)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import find_project
from agentbench_lsp.gate import task_files
from agentbench_lsp.gate.blame import explained
from agentbench_lsp.gate.manifest import selected_names
from agentbench_lsp.gate.run import CUSTOM_SECONDS, REGEX_SECONDS, Limits, Run
from agentbench_lsp.gate.warnings import with_untouched
from agentbench_lsp.models.task import EvalTask, OracleResult, RunResult
from agentbench_lsp.oracles.base import is_command
from agentbench_lsp.runner.agent_runner import AgentRunner
from agentbench_lsp.runner.sandbox import SandboxMode
from agentbench_lsp.runner.trajectory import Trajectory

OnResult = Callable[[OracleResult], None]
OnStart = Callable[[int, float], None]


class Evaluator:
    """Evaluates tasks against a trajectory.

    `custom_seconds` and `regex_seconds` limit one custom oracle and one regex search; with `sandbox` "auto" commands
    run in a sandbox where there is one. `catalogue` says which custom
    oracles there are; without one, `evaluate` knows those registered in this process, and `evaluate_files` and
    `evaluate_directory` those of the task's project and of installed packages.
    """

    def __init__(
        self,
        catalogue: Catalogue | None = None,
        custom_seconds: float = CUSTOM_SECONDS,
        regex_seconds: float = REGEX_SECONDS,
        sandbox: SandboxMode = "off",
    ) -> None:
        self._catalogue = catalogue
        self._limits = Limits(custom_seconds, regex_seconds, sandbox)

    def evaluate(
        self,
        task: EvalTask,
        trajectory: Trajectory,
        keep_workspace: bool = False,
        only: int | None = None,
        on_result: OnResult | None = None,
        on_start: OnStart | None = None,
    ) -> RunResult:
        """The verdict of every oracle, or of the one at index `only`. Failed ones say which step they are about.

        A single command oracle runs the commands before it first, so that its verdict is that of the whole task.
        With `keep_workspace` the result's `workspace_path` is the folder the commands ran in; the caller removes it.
        `on_start` gets each oracle's index and its time limit in seconds; `on_result` what it found.
        Raises IndexError for an `only` that is no oracle.
        """
        if only is not None:
            task.oracle(only)
        catalogue, replayed = self._known(), AgentRunner().replay(task, trajectory)
        with Run(task, replayed, catalogue, self._limits) as run:
            results = []
            for index in run.order(only):
                if on_start:
                    on_start(index, run.seconds(index))
                result = run.judge(index)
                if only is None or index == only:
                    results.append(result)
                    if on_result:
                        on_result(result)
            kept = run.keep() if keep_workspace else None
        passed = bool(results) and all(result.passed for result in results)
        return RunResult(task.id, passed, explained(task, replayed, results, catalogue), workspace_path=kept)

    def compare_untouched(
        self,
        task: EvalTask,
        trajectory: Trajectory,
        result: RunResult,
        on_start: OnStart | None = None,
        known: dict[str, dict[int, bool]] | None = None,
    ) -> RunResult:
        """The result, with a warning at each command that passes on the untouched workspace too.

        Runs the commands up to the last that passed once more, unless `known`, which is added to, tells already.
        The detail `passes_untouched` says what came of it.
        """
        passing = [r.index for r in result.oracle_results if r.passed and is_command(task.oracles[r.index].type)]
        if not passing:
            return result
        replayed = AgentRunner().replay(task, trajectory)
        if replayed.files == replayed.initial:
            also = dict.fromkeys(passing, True)
        else:
            also = self._untouched(task, passing[-1], on_start, {} if known is None else known)
        return replace(result, oracle_results=[with_untouched(r, also.get(r.index)) for r in result.oracle_results])

    def _untouched(
        self, task: EvalTask, last: int, on_start: OnStart | None, known: dict[str, dict[int, bool]]
    ) -> dict[int, bool]:
        catalogue = self._known()
        with Run(task, AgentRunner().replay(task, Trajectory([])), catalogue, self._limits) as run:
            indexes = run.order(last)
            commands = [(index, task.oracles[index].params) for index in indexes]
            everything = [task.workspace, commands, catalogue.project.pass_env, self._limits.sandbox]
            key = hashlib.sha256(json.dumps(everything).encode()).hexdigest()
            if key not in known:
                found = {}
                for index in indexes:
                    if on_start:
                        on_start(index, run.seconds(index))
                    found[index] = run.judge(index).passed
                known[key] = found
        return known[key]

    def evaluate_files(
        self,
        task_path: str | Path,
        trajectory_path: str | Path,
        keep_workspace: bool = False,
        only: int | None = None,
        on_result: OnResult | None = None,
    ) -> RunResult:
        """`evaluate` on a task file and a trajectory file.

        Raises what the loaders raise (OSError, UnicodeDecodeError, json.JSONDecodeError, ValidationError) and
        ProjectError.
        """
        inner = self._for_project_of(Path(task_path))
        task = task_files.load_task(Path(task_path), inner._known())
        trajectory = Trajectory.from_file(trajectory_path)
        result = inner.evaluate(task, trajectory, keep_workspace, only, on_result)
        return replace(result, task_file=str(task_path))

    def evaluate_directory(
        self,
        directory: str | Path,
        trajectory: Trajectory | str | Path,
        manifest: str | Path | None = None,
        keep_workspace: bool = False,
    ) -> list[RunResult]:
        """A result per task file; one that cannot be loaded has an `error`. Raises as `iterate_directory`."""
        return list(self.iterate_directory(directory, trajectory, manifest, keep_workspace))

    def iterate_directory(
        self,
        directory: str | Path,
        trajectory: Trajectory | str | Path,
        manifest: str | Path | None = None,
        keep_workspace: bool = False,
        on_start: Callable[[str], None] | None = None,
    ) -> Iterator[RunResult]:
        """`evaluate_directory`, each result as its task ends; `on_start` gets a file's name as its task begins.

        `manifest` selects the files; without one, every task in the folder. Raises, before the first result, OSError
        for a folder that cannot be read, ManifestError, ProjectError, and what loading the trajectory raises.
        """
        folder = Path(directory)
        names = task_files.task_names(folder) if manifest is None else selected_names(Path(manifest), folder)
        recorded = trajectory if isinstance(trajectory, Trajectory) else Trajectory.from_file(trajectory)
        return self._for_project_of(folder)._each(folder, names, recorded, keep_workspace, on_start)

    def _known(self) -> Catalogue:
        # Not `or`: the truth of a mapping is its length, and for that every installed package would be looked at.
        return Catalogue() if self._catalogue is None else self._catalogue

    def _for_project_of(self, path: Path) -> Evaluator:
        """This evaluator; with the catalogue of a path's project, if it was made without one."""
        if self._catalogue is not None:
            return self
        limits = self._limits
        return Evaluator(Catalogue(find_project(path)), limits.custom_seconds, limits.regex_seconds, limits.sandbox)

    def _each(
        self,
        folder: Path,
        names: list[str],
        trajectory: Trajectory,
        keep: bool,
        on_start: Callable[[str], None] | None,
    ) -> Iterator[RunResult]:
        for name in names:
            if on_start:
                on_start(name)
            path = folder / name
            try:
                task = task_files.load_task(path, self._known())
            except task_files.UNREADABLE as exc:
                yield RunResult("", False, task_file=str(path), error=task_files.say(exc))
            else:
                yield replace(self.evaluate(task, trajectory, keep), task_file=str(path))

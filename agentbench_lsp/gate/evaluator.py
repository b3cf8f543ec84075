"""The verdict on tasks: replay, then every oracle (seed: `agentbench.gate.evaluator`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import find_project
from agentbench_lsp.gate import guard, task_files
from agentbench_lsp.gate.manifest import selected_names
from agentbench_lsp.gate.oracle_host import OracleHost
from agentbench_lsp.gate.warnings import replay_warnings
from agentbench_lsp.models.task import EvalTask, Oracle, OracleResult, RunResult
from agentbench_lsp.oracles.base import FileOracle, OracleCheck, OracleContext, find_oracle
from agentbench_lsp.runner.agent_runner import AgentRunner, materialise, materialised, remove_workspace
from agentbench_lsp.runner.replay import Replay
from agentbench_lsp.runner.signals import deferred_signals
from agentbench_lsp.runner.trajectory import Trajectory

OnResult = Callable[[OracleResult], None]
CUSTOM_SECONDS = 60.0
REGEX_SECONDS = 5.0


class Evaluator:
    """Evaluates tasks against a trajectory.

    `custom_seconds` and `regex_seconds` limit one custom oracle and one regex search. `catalogue` says which custom
    oracles there are; without one, `evaluate` knows those registered in this process, and `evaluate_files` and
    `evaluate_directory` those of the task's project and of installed packages.
    """

    def __init__(
        self,
        catalogue: Catalogue | None = None,
        custom_seconds: float = CUSTOM_SECONDS,
        regex_seconds: float = REGEX_SECONDS,
    ) -> None:
        self._catalogue = catalogue
        self._custom_seconds = custom_seconds
        self._regex_seconds = regex_seconds

    def evaluate(
        self,
        task: EvalTask,
        trajectory: Trajectory,
        keep_workspace: bool = False,
        only: int | None = None,
        on_result: OnResult | None = None,
    ) -> RunResult:
        """The verdict of every oracle, or of the one at index `only`.

        A single command oracle runs the commands before it first, so that its verdict is that of the whole task.
        With `keep_workspace` the result's `workspace_path` is the folder the commands ran in; the caller removes it.
        Raises IndexError for an `only` that is no oracle.
        """
        if only is not None and not 0 <= only < len(task.oracles):
            raise IndexError(f"the task has no oracle {only}; it has {len(task.oracles)}, counted from 0")
        run = _Run(self, task, AgentRunner().replay(task, trajectory), self._known())
        with run:
            results = []
            for index in run.order(only):
                result = run.judge(index)
                if only is None or index == only:
                    results.append(result)
                    if on_result:
                        on_result(result)
            kept = run.keep() if keep_workspace else None
        passed = bool(results) and all(result.passed for result in results)
        return RunResult(task.id, passed, results, workspace_path=kept)

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
        return Evaluator(Catalogue(find_project(path)), self._custom_seconds, self._regex_seconds)

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


class _Run:
    """One evaluation: its folders and its oracle host, which all end with it."""

    def __init__(self, evaluator: Evaluator, task: EvalTask, replayed: Replay, catalogue: Catalogue) -> None:
        self._evaluator, self._task, self._replayed, self._catalogue = evaluator, task, replayed, catalogue
        self._stack = ExitStack()
        self._command_folder: Path | None = None
        self._host: OracleHost | None = None

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def order(self, only: int | None) -> list[int]:
        """Indexes of the oracles to run, in order."""
        if only is None:
            return list(range(len(self._task.oracles)))
        if not self._shares_folder(self._task.oracles[only]):
            return [only]
        return [i for i in range(only + 1) if self._shares_folder(self._task.oracles[i])]

    def _shares_folder(self, oracle: Oracle) -> bool:
        check = find_oracle(oracle.type)
        return check is not None and check.workspace_kind == "command-folder"

    def judge(self, index: int) -> OracleResult:
        """The result of one oracle. Whatever goes wrong is this oracle's failure."""
        oracle = self._task.oracles[index]
        started = time.perf_counter()
        try:
            result = self._check(oracle)
        except Exception as exc:  # noqa: BLE001 - one oracle's crash must not take the others' verdicts
            result = OracleResult(oracle.type, False, f"the oracle crashed: {guard.describe(exc)}")
        details = dict(result.details)
        spec = self._catalogue.get(oracle.type)
        if warnings := [*details.get("warnings", ()), *replay_warnings(self._replayed, oracle, spec)]:
            details["warnings"] = warnings
        seconds = time.perf_counter() - started
        return replace(result, oracle_type=oracle.type, details=details, index=index, seconds=seconds)

    def _check(self, oracle: Oracle) -> OracleResult:
        check = find_oracle(oracle.type)
        if check is None:
            return self._check_in_host(oracle)
        if isinstance(check, FileOracle):
            context = OracleContext(self._replayed.files, regex_seconds=self._evaluator._regex_seconds)
            return check.check_files(oracle, context, self._replayed.trajectory, self._task.workspace)
        if check.workspace_kind == "command-folder":
            if hasattr(check, "pass_env"):
                check.pass_env = self._catalogue.project.pass_env
            return self._call(check, oracle, self._shared_folder())
        seconds = check.time_limit or self._evaluator._custom_seconds
        folder = self._own_folder()
        return guard.guarded(lambda: self._call(check, oracle, folder), oracle.type, seconds)

    def _call(self, check: OracleCheck, oracle: Oracle, folder: Path) -> OracleResult:
        return check.check(oracle, folder, self._replayed.trajectory, dict(self._task.workspace))

    def _check_in_host(self, oracle: Oracle) -> OracleResult:
        custom = self._catalogue.custom.get(oracle.type)
        if custom is None:
            return OracleResult(oracle.type, False, f"unknown oracle type {oracle.type!r}")
        if self._host is None:
            self._host = self._stack.enter_context(OracleHost(self._catalogue.project.pass_env))
        trajectory = self._replayed.trajectory
        seconds = custom.spec.time_limit or self._evaluator._custom_seconds
        return self._host.check(custom, oracle, self._own_folder(), trajectory, self._task, seconds)

    def _own_folder(self) -> Path:
        with deferred_signals():
            return self._stack.enter_context(materialised(self._replayed.files))

    def _shared_folder(self) -> Path:
        if self._command_folder is None:
            with deferred_signals():
                self._command_folder = materialise(self._replayed.files)
                self._stack.callback(self._drop_shared)
        return self._command_folder

    def _drop_shared(self) -> None:
        if self._command_folder is not None:
            remove_workspace(self._command_folder)

    def keep(self) -> Path:
        """The command folder, which then outlives the run."""
        kept = self._shared_folder()
        self._command_folder = None
        return kept

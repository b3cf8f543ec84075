"""One evaluation of a task: its folders and its oracle host, and the verdict of each oracle."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.gate import guard
from agentbench_lsp.gate.details import checked_details, no_verdict
from agentbench_lsp.gate.oracle_host import OracleHost
from agentbench_lsp.gate.warnings import ReplayWarnings
from agentbench_lsp.models.task import EvalTask, Oracle, OracleResult
from agentbench_lsp.oracles.base import CommandOracle, FileOracle, OracleCheck, OracleContext, find_oracle, is_command
from agentbench_lsp.runner.agent_runner import materialise, materialised, remove_workspace
from agentbench_lsp.runner.replay import Replay
from agentbench_lsp.runner.sandbox import SandboxMode, available
from agentbench_lsp.runner.shell import CommandOptions
from agentbench_lsp.runner.signals import deferred_signals

CUSTOM_SECONDS = 60.0
REGEX_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What an oracle may do: seconds for one custom oracle and for one regex search; how commands are run."""

    custom_seconds: float = CUSTOM_SECONDS
    regex_seconds: float = REGEX_SECONDS
    sandbox: SandboxMode = "off"


class Run:
    """One evaluation. Folders and host end with it."""

    def __init__(self, task: EvalTask, replayed: Replay, catalogue: Catalogue, limits: Limits) -> None:
        self._task, self._replayed, self._catalogue, self._limits = task, replayed, catalogue, limits
        self._warnings = ReplayWarnings(replayed)
        self._stack = ExitStack()
        self._command_folder: Path | None = None
        self._host: OracleHost | None = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def order(self, only: int | None) -> list[int]:
        """Indexes of the oracles to run, in order."""
        if only is None:
            return list(range(len(self._task.oracles)))
        if not is_command(self._task.oracles[only].type):
            return [only]
        return [i for i in range(only + 1) if is_command(self._task.oracles[i].type)]

    def seconds(self, index: int) -> float:
        """How long an oracle may take before it is stopped."""
        oracle = self._task.oracles[index]
        check = find_oracle(oracle.type)
        if isinstance(check, CommandOracle):
            return check.seconds(oracle)
        if isinstance(check, FileOracle):
            return self._limits.regex_seconds
        custom = self._catalogue.custom.get(oracle.type) if check is None else None
        own = check.time_limit if check else custom.spec.time_limit if custom else None
        return own or self._limits.custom_seconds

    def judge(self, index: int) -> OracleResult:
        """The result of one oracle. Whatever goes wrong is this oracle's failure."""
        oracle = self._task.oracles[index]
        started = time.perf_counter()
        try:
            result = self._check(oracle)
        except Exception as exc:  # noqa: BLE001 - one oracle's crash must not take the others' verdicts
            result = no_verdict(oracle.type, f"the oracle crashed: {guard.describe(exc)}")
        details = checked_details(result.details, len(self._replayed.trajectory.steps))
        spec = self._catalogue.get(oracle.type)
        if warnings := [*details.get("warnings", ()), *self._warnings.of(oracle, spec)]:
            details["warnings"] = warnings
        seconds = time.perf_counter() - started
        return replace(result, oracle_type=oracle.type, details=details, index=index, seconds=seconds)

    def _check(self, oracle: Oracle) -> OracleResult:
        check = find_oracle(oracle.type)
        if check is None:
            return self._check_in_host(oracle)
        if isinstance(check, FileOracle):
            context = OracleContext(self._replayed.files, self._limits.regex_seconds, self._replayed.initial)
            return check.check_files(oracle, context, self._replayed.trajectory, self._task.workspace)
        if check.workspace_kind == "command-folder":
            if isinstance(check, CommandOracle):
                check.options = self._options()
            return self._call(check, oracle, self._shared_folder())
        seconds = check.time_limit or self._limits.custom_seconds
        folder = self._own_folder()
        return guard.guarded(lambda: self._call(check, oracle, folder), oracle.type, seconds)

    def _options(self) -> CommandOptions:
        sandbox = available() if self._limits.sandbox == "auto" else None
        return CommandOptions(self._catalogue.project.pass_env, sandbox)

    def _call(self, check: OracleCheck, oracle: Oracle, folder: Path) -> OracleResult:
        return check.check(oracle, folder, self._replayed.trajectory, dict(self._task.workspace))

    def _check_in_host(self, oracle: Oracle) -> OracleResult:
        custom = self._catalogue.custom.get(oracle.type)
        if custom is None:
            return no_verdict(oracle.type, f"unknown oracle type {oracle.type!r}")
        if self._host is None:
            self._host = self._stack.enter_context(OracleHost(self._catalogue.project.pass_env))
        trajectory = self._replayed.trajectory
        seconds = custom.spec.time_limit or self._limits.custom_seconds
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

"""`test_must_pass`: a shell command that must exit 0 in the replayed workspace."""

from __future__ import annotations

import importlib.machinery
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.oracles.base import CommandOracle, Param, register_oracle
from agentbench_lsp.runner.replay import workspace_files
from agentbench_lsp.runner.shell import CommandResult, run_command
from agentbench_lsp.runner.trajectory import Trajectory

DEFAULT_TIMEOUT = 60.0
_MODULE_RUN = re.compile(r"^\s*python\s+(?:-[A-Za-z]+\s+)*?-m\s*([A-Za-z_][\w.]*)")
_TOLD = {
    "timed-out": "timed out after {timeout} s",
    "killed": "killed by signal {signal}",
    "tool-missing": "interpreter or tool missing (exit code {code})",
    "no-tests-ran": "0 tests ran (exit code {code})",
    "tests-failed": "tests failed (exit code {code})",
    "command-failed": "exit code {code}",
}


@register_oracle
class TestMustPass(CommandOracle):
    """A shell command must exit 0 in the replayed workspace.

    Use it where behaviour has to be checked by the project's own test runner. `python` at the start of the command
    is the interpreter that evaluates. Commands of a task run in order, in one copy of the workspace, without stdin
    and without variables that look like secrets.
    """

    __test__ = False  # no pytest class, whatever its name

    oracle_type = "test_must_pass"
    params = (
        Param("command", kind="command", description="Shell command; passes when it exits 0."),
        Param(
            "timeout",
            kind="seconds",
            required=False,
            default=60,
            description="Seconds before the command is killed and the oracle fails.",
        ),
    )

    def seconds(self, oracle: Oracle) -> float:
        return _seconds(oracle.params.get("timeout"))

    def check(
        self, oracle: Oracle, workspace: Path, trajectory: Trajectory, initial_workspace: dict[str, str]
    ) -> OracleResult:
        command = oracle.params.get("command")
        if not isinstance(command, str):
            return self._not_run("needs the param command, a text")
        if not any(line.strip() and not line.strip().startswith("#") for line in command.splitlines()):
            return self._not_run("the command runs nothing (blank or only comments), so it cannot judge anything")
        if shadowed := _shadowed_runner(command, workspace, initial_workspace):
            return self._not_run(
                f"{shadowed} was written by the agent and would run in place of the installed module"
                f" `{Path(shadowed).stem}` that the command names"
            )
        timeout = self.seconds(oracle)
        line = with_interpreter(command)
        if not workspace.is_dir():
            return self._not_run("an earlier command removed the workspace folder", line)
        try:
            result = run_command(line, workspace, timeout, self.options)
        except (OSError, ValueError) as exc:
            return self._not_run(f"the command cannot be started: {exc}", line)
        return self._verdict(result, timeout, line)

    def _verdict(self, result: CommandResult, timeout: float, line: str) -> OracleResult:
        from agentbench_lsp.runner.command_output import first_line, no_tests_ran, outcome, signal_of, telling_lines

        code, out, err = result.exit_code, result.stdout, result.stderr
        came = outcome(code, result.timed_out, out, err)
        details: dict[str, Any] = {
            "exit_code": code,
            "timed_out": result.timed_out,
            "outcome": came,
            "stdout": out,
            "stderr": err,
            "truncated": result.truncated,
            "command_run": line,
        }
        if self.options.sandbox is not None:
            details["sandbox"] = self.options.sandbox.told
        if came == "passed":
            if no_tests_ran(out, err):
                details["warnings"] = ["0 tests ran, and the command exits 0 all the same: it cannot fail"]
            return OracleResult(self.oracle_type, True, "exit code 0", details)
        details["telling"] = telling_lines(out, err)
        message = _TOLD[came].format(code=code, signal=signal_of(code), timeout=f"{timeout:g}")
        first = first_line(err) or first_line(out)
        return OracleResult(self.oracle_type, False, f"{message}: {first}" if first else message, details)

    def _not_run(self, message: str, line: str | None = None) -> OracleResult:
        details = dict.fromkeys(("stdout", "stderr"), "")
        return OracleResult(
            self.oracle_type,
            False,
            message,
            {
                "exit_code": None,
                "timed_out": False,
                "outcome": "not-run",
                **details,
                "truncated": False,
                "command_run": line,
            },
        )


def with_interpreter(command: str) -> str:
    """`command` with a leading `python` replaced by the evaluating interpreter, quoted for the shell."""
    stripped = command.lstrip()
    if stripped == "python" or stripped.startswith(("python ", "python\t")):
        return shlex.quote(sys.executable) + stripped[len("python") :]
    return command


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return DEFAULT_TIMEOUT
    return float(min(value, 1e9))


def _shadowed_runner(command: str, workspace: Path, initial_workspace: dict[str, str]) -> str | None:
    """The agent's file that `python -m NAME` would run in place of an installed module NAME, if there is one.

    `python -m` looks into the current folder first, so a `pytest.py` in the workspace root passes every test run.
    """
    match = _MODULE_RUN.match(command)
    if not match:
        return None
    name = match.group(1).partition(".")[0]
    initial = workspace_files(initial_workspace)
    for candidate in (f"{name}.py", f"{name}/__init__.py", f"{name}/__main__.py"):
        if candidate not in initial and (workspace / candidate).is_file() and _is_installed(name):
            return candidate
    return None


def _is_installed(name: str) -> bool:
    if name in sys.stdlib_module_names:
        return True
    here = {"", str(Path.cwd())}
    return importlib.machinery.PathFinder.find_spec(name, [p for p in sys.path if p not in here]) is not None

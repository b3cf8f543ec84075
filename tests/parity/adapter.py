"""Adapter between the parity harness (`../shared/parity/harness.py`) and this package."""

from __future__ import annotations

import sys
from typing import Any, ClassVar


class ADAPTER:
    cli: ClassVar[list[str]] = [sys.executable, "-m", "agentbench_lsp"]

    def __init__(self) -> None:
        from agentbench_lsp.dsl import ValidationError, validate_task_dict, validate_trajectory_dict
        from agentbench_lsp.gate.evaluator import Evaluator
        from agentbench_lsp.models.task import EvalTask
        from agentbench_lsp.runner.trajectory import Trajectory

        self.ValidationError = ValidationError
        self.validate_task_dict = validate_task_dict
        self.validate_trajectory_dict = validate_trajectory_dict
        self.EvalTask = EvalTask
        self.Trajectory = Trajectory
        self.Evaluator = Evaluator

    def rejected_fields(self, exc: Any) -> list[str]:
        """v0.1.0 names all missing top-level fields at once, and otherwise the first fault only."""
        missing = [e.path for e in exc.errors if e.code == "missing-field" and len(e.location) == 1]
        if missing:
            return missing
        error = next((e for e in exc.errors if e.code != "duplicate-key"), exc.errors[0])
        if error.location[:1] == ("workspace",) and len(error.location) == 2:
            return ["workspace.<value>" if error.code in ("wrong-type", "invalid-content") else "workspace.<key>"]
        if error.location[:1] == ("tags",):
            return ["tags"]
        return [error.path]

    def oracle_fact(self, result: Any) -> list[Any]:
        fact: list[Any] = [result.oracle_type, result.passed]
        details = result.details
        if result.oracle_type == "test_must_pass":
            if details["timed_out"]:
                fact.append({"timed_out": True})
            elif details["exit_code"] is None:
                fact.append({"not_run": True})
            else:
                fact.append({"exit_code": details["exit_code"]})
        if result.oracle_type == "no_network" and not result.passed:
            first = details["violations"][0]
            fact.append({"step": first["step_index"], "pattern": first["match"]})
        return fact

    def stderr_chars(self, result: Any) -> int:
        return len(result.details.get("stderr", ""))

    @staticmethod
    def cli_verdicts(stdout: str) -> list[list[Any]]:
        found = []
        for line in stdout.splitlines():
            word, _, name = line.partition(" ")
            if word in ("PASS", "FAIL"):
                found.append([name, word == "PASS"])
        return found

"""The `--json` report, which is also what the editor's evaluation returns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentbench_lsp.models.task import OracleResult, RunResult


def report(results: Iterable[RunResult]) -> dict[str, Any]:
    """`{"passed": bool, "tasks": […]}`; nothing judged is not passed."""
    tasks = [task_report(result) for result in results]
    return {"passed": bool(tasks) and all(task["passed"] for task in tasks), "tasks": tasks}


def task_report(result: RunResult) -> dict[str, Any]:
    """One task of the report. `workspace` is there only where it was kept, `baseline` only where it is one."""
    task: dict[str, Any] = {
        "task_id": result.task_id,
        "task_file": result.task_file,
        "passed": result.passed,
        "error": result.error,
        "oracles": [oracle_report(oracle) for oracle in result.oracle_results],
    }
    if result.workspace_path is not None:
        task["workspace"] = str(result.workspace_path)
    if result.baseline:
        task["baseline"] = True
    return task


def oracle_report(result: OracleResult) -> dict[str, Any]:
    """One oracle of the report; `seconds` to the microsecond."""
    return {
        "index": result.index,
        "type": result.oracle_type,
        "passed": result.passed,
        "message": result.message,
        "details": result.details,
        "seconds": round(result.seconds, 6),
    }

"""From the worker's report to judgements: what each oracle's result is tied to, and how it reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentbench_lsp.gate.explanation import explanation_of, violation_text
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.verdicts.judgement import BlamedStep, Judgement


def judgements(report: Mapping[str, Any], task: TaskDocument) -> list[Judgement]:
    """The results of a report of one task; `task` is the document it was made of."""
    keys = dict(zip((oracle.index for oracle in task.oracles), task.oracle_keys, strict=True))
    results = report["tasks"][0]["oracles"]
    return [_judgement(result, keys[result["index"]]) for result in results if result["index"] in keys]


def _judgement(result: Mapping[str, Any], key: str) -> Judgement:
    details = result["details"]
    blame = details.get("blame") if isinstance(details.get("blame"), dict) else {}
    nearest = details.get("nearest")
    baseline = details.get("baseline") or {}
    return Judgement(
        index=result["index"],
        oracle_type=result["type"],
        key=key,
        passed=result["passed"],
        message=result["message"],
        lines=tuple(explanation_of(result)),
        warnings=tuple(map(str, details.get("warnings") or ())),
        param=blame.get("param"),
        steps=tuple(_steps(result["message"], details, blame)),
        nearest=(nearest["pattern"], nearest["why"]) if isinstance(nearest, dict) else None,
        baseline=baseline["advice"] if baseline.get("state") == "passes" else None,
    )


def _steps(message: str, details: Mapping[str, Any], blame: Mapping[str, Any]) -> Iterator[BlamedStep]:
    how, step = blame.get("how"), blame.get("step")
    if how == "violation":
        for violation in details["violations"]:
            if isinstance(violation, dict) and isinstance(violation.get("step_index"), int):
                yield BlamedStep(violation["step_index"], violation_text(violation))
    elif isinstance(step, int):
        yield BlamedStep(step, message, proven=how == "stopped-passing")

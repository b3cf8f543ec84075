"""The report as one page that needs nothing else: the timeline of the oracles, the agent's steps, the verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from agentbench_lsp.gate.explanation import explanation, violation_text, warnings
from agentbench_lsp.gate.report.text_report import visible
from agentbench_lsp.gate.timeline import Timeline, timelines
from agentbench_lsp.models.task import EvalTask, OracleResult, RunResult
from agentbench_lsp.oracles.base import OracleSpec, path_params
from agentbench_lsp.runner.edits import EditReport, Files, apply_step
from agentbench_lsp.runner.replay import Replay, replay
from agentbench_lsp.runner.text_diff import decoded, short_diff
from agentbench_lsp.runner.trajectory import Trajectory, TrajectoryStep

_DIFF_LINES = 200  # of one step
_TEXT_LIMIT = 20_000  # characters of one output or command


def html_report(task: EvalTask, trajectory: Trajectory, result: RunResult, specs: Mapping[str, OracleSpec]) -> str:
    """The page. All that comes from documents stands in one JSON text, which the page's script writes as text."""
    replayed = replay(task.workspace, trajectory)
    known = timelines(task, replayed, result.oracle_results, specs)
    page = {
        "task": {"id": task.id, "name": task.name, "prompt": task.prompt, "description": task.description},
        "passed": result.passed,
        "metadata": {str(k): str(v) for k, v in trajectory.metadata.items() if isinstance(v, str | int | float)},
        "oracles": [_oracle(task, each, known[each.index], specs) for each in result.oracle_results],
        "steps": list(_steps(replayed, result)),
    }
    parts = {"style": _template("report.css"), "script": _template("report.js"), "data": _embedded(page)}
    return re.sub(r"/\*(style|script|data)\*/", lambda part: parts[part.group(1)], _template("report.html"))


def _template(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _embedded(value: object) -> str:
    """JSON that cannot end the element it stands in, whatever it holds."""
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _oracle(
    task: EvalTask, result: OracleResult, timeline: Timeline, specs: Mapping[str, OracleSpec]
) -> dict[str, Any]:
    oracle, details = task.oracles[result.index], result.details
    spec = specs.get(oracle.type)
    diff = [str(line) for line in details.get("diff") or ()]
    about = path_params(oracle, spec)[:1] or [v for v in (oracle.params.get("command"),) if isinstance(v, str)]
    blame = details.get("blame") if isinstance(details.get("blame"), dict) else None
    return {
        "index": result.index,
        "type": oracle.type,
        "about": about[0] if about else "",
        "params": json.dumps(oracle.params, ensure_ascii=False, indent=2, default=str),
        "passed": result.passed,
        "message": result.message,
        "lines": [line for line in explanation(result) if line not in diff],
        "diff": diff,
        "warnings": warnings(result),
        "seconds": round(result.seconds, 3),
        "blame": blame["step"] if blame else None,
        "proven": blame is not None and blame["how"] in ("stopped-passing", "violation"),
        "stdout": _cut(details.get("stdout")),
        "stderr": _cut(details.get("stderr")),
        "changes": [(change.step, change.state) for change in timeline.changes],
    }


def _cut(text: object) -> str:
    """The end of a long text says most: that is where test runners sum up."""
    if not isinstance(text, str) or len(text) <= _TEXT_LIMIT:
        return text if isinstance(text, str) else ""
    return f"… {len(text) - _TEXT_LIMIT} characters left out …\n{text[-_TEXT_LIMIT:]}"


def _steps(replayed: Replay, result: RunResult) -> Iterator[dict[str, Any]]:
    """What each step did."""
    reports: dict[int, list[EditReport]] = {}
    for report in replayed.reports:
        reports.setdefault(report.step, []).append(report)
    notes = _notes(result)
    current: Files = dict(replayed.initial)
    for step in replayed.trajectory.steps:
        done = reports.get(step.index, [])
        before = {report.path: current.get(report.path) for report in done}
        apply_step(current, step, replayed.trajectory, replayed.initial)
        diffs = [
            {
                "path": report.path,
                "status": report.status,
                "reason": report.reason,
                "diff": _diff(before, current, report),
            }
            for report in done
        ]
        yield {"index": step.index, **_told(step), "edits": diffs, "notes": notes.get(step.index, [])}


def _diff(before: Mapping[str, bytes | None], after: Files, report: EditReport) -> list[str]:
    if report.status != "applied":
        return []
    old, new = before.get(report.path), after.get(report.path)
    return short_diff(decoded(old or b""), decoded(new or b""), _DIFF_LINES)


def _told(step: TrajectoryStep) -> dict[str, Any]:
    """What a step is called, and what it says."""
    rest = {k: v for k, v in step.raw.items() if k not in ("tool", "type", "args")}
    other = {**({} if step.is_write or step.is_command else step.args), **rest}
    return {
        "tool": step.tool or str(step.raw.get("type", "step")),
        "path": step.path,
        "command": _cut(step.command) if step.is_command else None,
        "failure": step.failure,
        "other": _cut(json.dumps(other, ensure_ascii=False, indent=2, default=str)) if other else "",
    }


def _notes(result: RunResult) -> dict[int, list[dict[str, Any]]]:
    """What oracles say of steps."""
    notes: dict[int, list[dict[str, Any]]] = {}
    for each in result.oracle_results:
        blame = each.details.get("blame")
        if not isinstance(blame, dict) or blame.get("step") is None:
            continue
        if blame["how"] == "violation":
            for violation in each.details["violations"]:
                notes.setdefault(violation["step_index"], []).append(
                    {"oracle": each.index, "text": visible(violation_text(violation))}
                )
        elif blame["how"] == "stopped-passing":
            text = f"{each.oracle_type} passed until here"
            notes.setdefault(blame["step"], []).append({"oracle": each.index, "text": text})
    return notes

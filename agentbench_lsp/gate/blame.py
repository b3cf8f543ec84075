"""What a failed oracle is about: the step of the agent that broke it, what that step did, the most telling param."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from agentbench_lsp.gate.nearest import nearest_pattern
from agentbench_lsp.gate.timeline import BEFORE, Timeline, timelines
from agentbench_lsp.models.paths import fold
from agentbench_lsp.models.task import EvalTask, Oracle, OracleResult
from agentbench_lsp.oracles.base import OracleSpec, ParamKind, path_params
from agentbench_lsp.runner import regex
from agentbench_lsp.runner.edits import Files
from agentbench_lsp.runner.replay import Replay
from agentbench_lsp.runner.text_diff import became, decoded

How = Literal[
    "stopped-passing",  # it passed before the step, and never again after it
    "violation",  # the step itself is what the oracle forbids
    "never-passed",  # the step is the last that changed its file
    "last-edit",  # it cannot be judged step by step: the last step that changed a file
]
_TELLING: tuple[ParamKind, ...] = ("regex", "workspace_path", "command")
_SEARCH_SECONDS = 1.0


class Blame(NamedTuple):
    """`step`: index of a step, or None; `param`: name of a param, or None for the oracle's type."""

    step: int | None
    param: str | None
    how: How


def explained(
    task: EvalTask, replayed: Replay, results: Sequence[OracleResult], specs: Mapping[str, OracleSpec]
) -> list[OracleResult]:
    """The results; each failed one with the detail `blame`: `{"step", "tool", "param", "how"}`.

    A regex that stopped matching also has `was` (the lines it matched) and, where they are still there in another
    form, `became`; one that fails has `nearest`: `{"pattern", "why"}`, a looser pattern that matches, if one is known.
    """
    failed = [result for result in results if not result.passed]
    if not failed:
        return list(results)
    known = timelines(task, replayed, failed, specs)
    return [
        result if result.passed else _explained(task, replayed, result, specs, known[result.index])
        for result in results
    ]


def _explained(
    task: EvalTask, replayed: Replay, result: OracleResult, specs: Mapping[str, OracleSpec], timeline: Timeline
) -> OracleResult:
    oracle = task.oracles[result.index]
    spec = specs.get(oracle.type)
    found = _blame(oracle, spec, result, replayed, timeline)
    steps = replayed.trajectory.steps
    tool = steps[found.step].tool if found.step is not None and found.step < len(steps) else None
    details: dict[str, Any] = {**result.details, "blame": {**found._asdict(), "tool": tool}}
    pattern = next((p.name for p in (spec.params or () if spec else ()) if p.kind == "regex"), None)
    if pattern is not None:
        details |= _about_pattern(oracle.params.get(pattern), path_params(oracle, spec), replayed.files, timeline)
    return replace(result, details=details)


def _blame(
    oracle: Oracle, spec: OracleSpec | None, result: OracleResult, replayed: Replay, timeline: Timeline
) -> Blame:
    param = _telling_param(oracle, spec, replayed.files)
    violations = result.details.get("violations")
    if isinstance(violations, list) and violations and isinstance(violations[0], dict):
        step = violations[0].get("step_index")
        return Blame(step if isinstance(step, int) else None, param, "violation")
    if (broken := timeline.broken_by) is not None and timeline.changes[-1].state != "unknown":
        return Blame(broken, param, "stopped-passing")
    paths = path_params(oracle, spec)
    edits = [r.step for r in replayed.reports if r.status == "applied" and (not paths or r.path in paths)]
    judged = not timeline.ever_passed and all(change.state != "unknown" for change in timeline.changes)
    return Blame(edits[-1] if edits else None, param, "never-passed" if judged else "last-edit")


def _telling_param(oracle: Oracle, spec: OracleSpec | None, files: Files) -> str | None:
    params = [p for p in (spec.params or () if spec else ()) if isinstance(oracle.params.get(p.name), str)]
    lost = [p.name for p in params if p.kind == "workspace_path" and fold(oracle.params[p.name]) not in files]
    ordered = [p.name for kind in _TELLING for p in params if p.kind == kind]
    return next(iter([*lost, *ordered]), None)


def _about_pattern(pattern: object, paths: list[str], files: Files, timeline: Timeline) -> dict[str, Any]:
    """What the pattern used to match, what became of it, and what would match now."""
    if not isinstance(pattern, str) or len(paths) != 1:
        return {}
    details: dict[str, Any] = {}
    if timeline.broken_by not in (None, BEFORE) and timeline.good is not None and timeline.bad is not None:
        before, after = decoded(timeline.good), decoded(timeline.bad)
        if lines := _matched_lines(pattern, before):
            details["was"] = before.splitlines()[lines[0] : lines[1] + 1]
            details["became"] = became(before, after, *lines)
    content = files.get(paths[0])
    if content is not None:
        text = decoded(content)
        hints = [line.strip() for line in details.get("became") or () if line.strip()]
        if nearest := nearest_pattern(pattern, text, hints if len(hints) == 1 else ()):
            details["nearest"] = nearest._asdict()
    return details


def _matched_lines(pattern: str, text: str) -> tuple[int, int] | None:
    """Numbers of the first and last line that the pattern matches, from 0."""
    try:
        span = regex.search(pattern, text, re.MULTILINE, _SEARCH_SECONDS)
    except (re.error, OverflowError, RecursionError, regex.RegexTimeoutError):
        return None
    if span is None:
        return None
    first = len(text[: span[0] + 1].splitlines()) - 1
    return first, max(first, len(text[: max(span[1], span[0] + 1)].splitlines()) - 1)

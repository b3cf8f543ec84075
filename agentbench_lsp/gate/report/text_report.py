"""The text report: `PASS <id>`, `FAIL <id>` or `ERROR <file>`, a line per oracle, a summary.

What comes from documents is escaped where it is not printable, so that no id or message can forge a line of ours
or send control sequences to a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from agentbench_lsp.gate.baseline import TASK_ADVICE
from agentbench_lsp.gate.explanation import explanation, warnings
from agentbench_lsp.models.task import RunResult

Style = Literal["pass", "fail", "error", "warning", "plain"]
Line = tuple[tuple[str, Style], ...]  # spans of text


def visible(text: str) -> str:
    """`text` in one line, with everything unprintable spelled as an escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in text)


def task_lines(result: RunResult) -> Iterator[Line]:
    """The lines of one task."""
    if result.error is not None:
        yield ("ERROR", "error"), (f" {visible(result.task_file or result.task_id)}", "plain")
        for line in result.error.splitlines():
            yield ((f"  {visible(line)}", "plain"),)
        return
    if result.baseline:
        yield from _baseline_lines(result)
        return
    word: tuple[str, Style] = ("PASS", "pass") if result.passed else ("FAIL", "fail")
    yield word, (f" {visible(result.task_id)}", "plain")
    for oracle in result.oracle_results:
        mark: tuple[str, Style] = ("ok  ", "pass") if oracle.passed else ("FAIL", "fail")
        about = f" [{oracle.index}] {visible(oracle.oracle_type)}: {visible(oracle.message)}"
        yield ("  ", "plain"), mark, (about, "plain")
        for line in explanation(oracle):
            yield ((f"       {visible(line)}", "plain"),)
        for warning in warnings(oracle):
            yield ("       warning:", "warning"), (f" {visible(warning)}", "plain")
    if result.workspace_path is not None:
        yield ((f"  workspace: {visible(str(result.workspace_path))}", "plain"),)


def _baseline_lines(result: RunResult) -> Iterator[Line]:
    """An oracle that fails before the agent did anything is a good one: it has something to measure."""
    word: tuple[str, Style] = ("NOTHING MEASURED", "fail") if result.passed else ("OK  ", "pass")
    yield word, (f" {visible(result.task_id)} before the agent does anything", "plain")
    marks: dict[str, tuple[str, Style]] = {
        "fails": ("fails ", "pass"),
        "guard": ("guards", "plain"),
        "passes": ("passes", "warning"),
    }
    for oracle in result.oracle_results:
        stated = oracle.details["baseline"]
        about = f" [{oracle.index}] {visible(oracle.oracle_type)}: {visible(oracle.message)}"
        yield ("  ", "plain"), marks[stated["state"]], (about, "plain")
        if stated["advice"] and stated["state"] != "guard":
            yield ((f"         {stated['advice']}", "plain"),)
    if result.passed:
        yield ((f"  {TASK_ADVICE}", "plain"),)


def summary_line(results: Sequence[RunResult], stopped: str | None = None) -> Line:
    """How many passed; `stopped` says what ended the run early."""
    if results and all(r.baseline or r.error for r in results):
        found = _count(r.baseline and not r.passed for r in results)
        return ((f"{found} of {len(results)} {_tasks(results)} measured something", "plain"),)
    passed, errors = _count(r.passed for r in results), _count(r.error is not None for r in results)
    failed = len(results) - passed - errors
    text = f"{passed} of {len(results)} {_tasks(results)} passed"
    text += f", {failed} failed" if failed else ""
    text += f", {errors} could not be judged" if errors else ""
    text += f"; stopped by {stopped} before the end" if stopped else ""
    return ((text, "plain"),)


def _tasks(results: Sequence[RunResult]) -> str:
    return "task" if len(results) == 1 else "tasks"


def _count(values: Iterable[bool]) -> int:
    return sum(map(bool, values))

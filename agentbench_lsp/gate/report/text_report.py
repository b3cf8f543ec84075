"""The text report: `PASS <id>`, `FAIL <id>` or `ERROR <file>`, a line per oracle, a summary.

What comes from documents is escaped where it is not printable, so that no id or message can forge a line of ours
or send control sequences to a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

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
    word: tuple[str, Style] = ("PASS", "pass") if result.passed else ("FAIL", "fail")
    yield word, (f" {visible(result.task_id)}", "plain")
    for oracle in result.oracle_results:
        mark: tuple[str, Style] = ("ok  ", "pass") if oracle.passed else ("FAIL", "fail")
        about = f" [{oracle.index}] {visible(oracle.oracle_type)}: {visible(oracle.message)}"
        yield ("  ", "plain"), mark, (about, "plain")
        for warning in oracle.details.get("warnings", ()):
            yield ("       warning:", "warning"), (f" {visible(str(warning))}", "plain")
    if result.workspace_path is not None:
        yield ((f"  workspace: {visible(str(result.workspace_path))}", "plain"),)


def summary_line(results: Sequence[RunResult], stopped: str | None = None) -> Line:
    """How many passed; `stopped` says what ended the run early."""
    passed, errors = _count(r.passed for r in results), _count(r.error is not None for r in results)
    failed = len(results) - passed - errors
    text = f"{passed} of {len(results)} {'task' if len(results) == 1 else 'tasks'} passed"
    text += f", {failed} failed" if failed else ""
    text += f", {errors} could not be judged" if errors else ""
    text += f"; stopped by {stopped} before the end" if stopped else ""
    return ((text, "plain"),)


def _count(values: Iterable[bool]) -> int:
    return sum(map(bool, values))

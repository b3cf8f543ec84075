"""Applying the edits of a step to the files of a workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentbench_lsp.models.paths import escapes, parents, unusable
from agentbench_lsp.runner.edits.base import FileEdit, Files, NotAppliedError, UnsupportedEditError

if TYPE_CHECKING:
    from agentbench_lsp.runner.trajectory import Trajectory, TrajectoryStep

EditStatus = Literal["applied", "recorded-as-failed", "outside-workspace", "not-applied", "unsupported"]


@dataclass(frozen=True, slots=True)
class EditReport:
    """What became of a step's edit of one file. `reason` is empty for an edit that applied as recorded.

    A file that is moved has two: one for where it was, one for where it is.
    """

    step: int
    path: str
    status: EditStatus
    reason: str = ""


def apply_step(
    files: Files, step: TrajectoryStep, trajectory: Trajectory, initial: Mapping[str, bytes]
) -> list[EditReport]:
    """Apply a step to `files` in place; a report for each file it edits. `initial`: the files before the first step."""
    if not step.is_write:
        return []

    def locate(path: str) -> str:
        return trajectory.locate(step, path)

    if step.failure:
        reason = f"the recording says it failed ({step.failure})"
        paths = list(map(locate, step.paths)) or [""]
        return [EditReport(step.index, path, "recorded-as-failed", reason) for path in paths]
    try:
        edits = step.read_edits()
    except NotAppliedError as exc:
        path = locate(step.path) if step.path is not None else ""
        return [EditReport(step.index, path, _status(exc), str(exc))]
    return apply_edits(files, edits, step.index, locate, initial)


def apply_edits(
    files: Files,
    edits: Iterable[FileEdit],
    step: int,
    locate: Callable[[str], str],
    initial: Mapping[str, bytes],
) -> list[EditReport]:
    """Apply edits in order; after one that does not apply the rest is left undone. `locate` folds recorded paths."""
    reports: list[EditReport] = []
    stopped = False
    for edit in edits:
        path, target = locate(edit.path), locate(edit.target)
        if stopped:
            reports.append(EditReport(step, path, "not-applied", "an edit before it in the same call did not apply"))
            continue
        outside = next((name for name in (path, target) if escapes(name)), None)
        if outside is not None:
            recorded = edit.path if outside == path else edit.target
            reports.append(EditReport(step, outside, "outside-workspace", f"{recorded!r} is outside the workspace"))
            continue
        try:
            note = _apply(files, edit, path, target, initial)
        except NotAppliedError as exc:
            reports.append(EditReport(step, path, _status(exc), str(exc)))
            stopped = True
        else:
            reports += [EditReport(step, name, "applied", note) for name in dict.fromkeys((path, target))]
    return reports


def _apply(files: Files, edit: FileEdit, path: str, target: str, initial: Mapping[str, bytes]) -> str:
    before = files.get(path)
    content, note = edit.change(initial.get(path) if edit.from_start else before)
    if edit.from_start and content != before and before != initial.get(path):
        note = "the recording's last state of the file is another than its steps lead to; it counts"
    if content is None:
        files.pop(path, None)
        return note
    if target != path:
        _check_place(files, target, without=path)
        files.pop(path, None)
    else:
        _check_place(files, target)
    files[target] = content
    return note


def _check_place(files: Files, path: str, without: str | None = None) -> None:
    if reason := unusable(path):
        raise NotAppliedError(f"no file can have this path: {reason}")
    if path in files:
        return
    for parent in parents(path):
        if parent in files and parent != without:
            raise NotAppliedError(f"{parent!r} is a file, not a folder")
    if any(other.startswith(path + "/") and other != without for other in files):
        raise NotAppliedError("the path is a folder of the workspace")


def _status(exc: NotAppliedError) -> EditStatus:
    return "unsupported" if isinstance(exc, UnsupportedEditError) else "not-applied"

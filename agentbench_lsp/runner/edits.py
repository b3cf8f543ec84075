"""What one write step does to the files of a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentbench_lsp.models.paths import escapes, parents, unusable
from agentbench_lsp.runner.trajectory import Trajectory, TrajectoryStep

Files = dict[str, bytes]
EditStatus = Literal["applied", "recorded-as-failed", "outside-workspace", "not-applied"]


@dataclass(frozen=True, slots=True)
class EditReport:
    """What became of one write step. `reason` is empty for an edit that applied as recorded."""

    step: int
    path: str
    status: EditStatus
    reason: str = ""


class NotAppliedError(Exception):
    """The edit does not fit the file; the file stays as it was."""


def apply_step(files: Files, step: TrajectoryStep, trajectory: Trajectory) -> EditReport | None:
    """Apply a write step to `files` in place. None for a step that is no write."""
    if not step.is_write:
        return None
    recorded = step.path
    if recorded is None:
        return EditReport(step.index, "", "not-applied", "the step names no file (args.path)")
    path = trajectory.relative(recorded)
    if step.failure:
        return EditReport(step.index, path, "recorded-as-failed", f"the recording says it failed ({step.failure})")
    if escapes(path):
        return EditReport(step.index, path, "outside-workspace", f"{recorded!r} is outside the workspace")
    try:
        new, note = _new_content(files.get(path), step.args)
        _check_place(files, path)
    except NotAppliedError as exc:
        return EditReport(step.index, path, "not-applied", str(exc))
    files[path] = new
    return EditReport(step.index, path, "applied", note)


def _check_place(files: Files, path: str) -> None:
    if reason := unusable(path):
        raise NotAppliedError(f"no file can have this path: {reason}")
    if path in files:
        return
    for parent in parents(path):
        if parent in files:
            raise NotAppliedError(f"{parent!r} is a file, not a folder")
    if any(other.startswith(path + "/") for other in files):
        raise NotAppliedError("the path is a folder of the workspace")


def _new_content(old: bytes | None, args: Mapping[str, object]) -> tuple[bytes, str]:
    content = args.get("content")
    if isinstance(content, str):
        return _encode(content, "content"), ""
    search = _text(args, "old_string", "old_str")
    replacement = _text(args, "new_string", "new_str")
    if replacement is None:
        raise NotAppliedError("the step has no text to write (args.content or args.new_string)")
    if search is None:
        return _encode(replacement, "new_string"), ""
    if search == "":
        if old:
            raise NotAppliedError("old_string is empty, and the file exists and is not")
        return _encode(replacement, "new_string"), ""
    if old is None:
        raise NotAppliedError("old_string cannot be replaced: the file does not exist")
    everywhere = args.get("replace_all") is True
    return _replace(old, _encode(search, "old_string"), _encode(replacement, "new_string"), everywhere)


def _replace(old: bytes, search: bytes, replacement: bytes, everywhere: bool) -> tuple[bytes, str]:
    count, note = old.count(search), ""
    if not count and b"\r\n" in old and b"\r" not in search:
        # Agents see CRLF files with LF line ends; their editors convert back on writing.
        search, replacement = (_crlf(part) for part in (search, replacement))
        count, note = old.count(search), "matched only after its line ends were made CRLF, as in the file"
    if not count:
        raise NotAppliedError("old_string is not in the file")
    if count > 1 and not everywhere:
        raise NotAppliedError(f"old_string is in the file {count} times; without replace_all it must be there once")
    return old.replace(search, replacement), note


def _crlf(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _text(args: Mapping[str, object], *names: str) -> str | None:
    for name in names:
        value = args.get(name)
        if isinstance(value, str):
            return value
    return None


def _encode(text: str, name: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotAppliedError(f"{name} holds half of a surrogate pair, which no UTF-8 file can hold") from None

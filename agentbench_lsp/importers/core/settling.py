"""What an edit really did: the call, held against what its recording says of the files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agentbench_lsp.importers.core.known_files import KnownFiles, canonical, encoded
from agentbench_lsp.importers.core.outcome import UNKNOWN, Truth, Unknown
from agentbench_lsp.runner.edits import FileEdit, NotAppliedError
from agentbench_lsp.runner.edits.removal import Removal
from agentbench_lsp.runner.edits.replacement import Replacement
from agentbench_lsp.runner.edits.unified_diff import Diff, parse_diff
from agentbench_lsp.runner.edits.whole import WholeFile
from agentbench_lsp.runner.trajectory import TrajectoryStep

Bytes = bytes | None | Unknown
_UNTOLD = "the recording does not hold what the edit did"


@dataclass
class Settled:
    """The outcome of an edit that happened.

    `edits` say what it did, where the call does not; None where the call is enough. `fault` is why replay cannot do
    it. `left` has the contents that the recording vouches for, `drifted` the paths that something else had changed.
    """

    paths: tuple[str, ...] = ()
    edits: list[dict[str, Any]] | None = None
    fault: str = ""
    left: dict[str, bytes | None] = field(default_factory=dict)
    drifted: list[str] = field(default_factory=list)


def settle(files: KnownFiles, step: TrajectoryStep, truths: tuple[Truth, ...], cwd: str | None) -> Settled:
    """Take a step into `files`. The recorded contents win where the call does not lead to them.

    They also stand for the call where it is the first to change a file: the trajectory then replays, whatever the
    workspace holds. After that calls are enough as long as they lead to what is recorded.
    """

    def locate(path: str) -> str:
        return canonical(path, cwd)

    settled = Settled()
    first = {key for truth in truths if not files.is_touched(key := locate(truth.path))}
    for truth in truths:
        if not files.see(locate(truth.path), truth.original):
            settled.drifted.append(truth.path)
    called = _Call(files, step, locate)
    settled.fault = called.fault
    recorded = {truth: _recorded(files, truth, locate(truth.path)) for truth in truths}
    paths = [*called.paths, *(p for truth in truths for p in (truth.path, truth.moved_to) if p is not None)]
    settled.paths = tuple(dict.fromkeys(paths))
    enough = not called.fault and all(
        called.leads_to(truth, recorded[truth]) and not (locate(truth.path) in first and called.needs_file(truth))
        for truth in truths
    )
    if not truths and not called.reads and not called.fault:
        settled.fault = _UNTOLD
    if truths and (settled.drifted or not enough):
        edits = [_as_edit(truth, recorded[truth], called) for truth in truths]
        if all(edit is not None for edit in edits):
            settled.edits = [edit for edit in edits if edit is not None]
            settled.fault = ""
        elif not called.reads:
            settled.fault = called.fault or _UNTOLD
    for key, content in called.after.items():
        files.set(key, content)
    for truth, content in recorded.items():
        source, target = locate(truth.path), locate(truth.moved_to or truth.path)
        if not isinstance(content, Unknown):
            files.set(target, content)
            settled.left[target] = content
        if target != source:
            files.set(source, None)
            settled.left[source] = None
    return settled


def _recorded(files: KnownFiles, truth: Truth, key: str) -> Bytes:
    """What the recording says that the file holds after the edit."""
    if not isinstance(truth.content, Unknown):
        return None if truth.content is None else encoded(truth.content)
    base = files.get(key)
    if truth.diff is None or isinstance(base, Unknown):
        return UNKNOWN
    try:
        for edit in parse_diff(truth.diff, truth.path):
            base = edit.change(base if isinstance(base, bytes) else None).content
    except NotAppliedError:
        return UNKNOWN
    return base


class _Call:
    """What a call by itself would make of the files that are known."""

    def __init__(self, files: KnownFiles, step: TrajectoryStep, locate: Any) -> None:
        self.after: dict[str, Bytes] = {}
        self.fault = ""
        self.paths: list[str] = []
        self._locate = locate
        self._needing: set[str] = set()
        try:
            edits = step.read_edits() if step.is_write else ()
        except NotAppliedError as exc:
            self.fault, edits = str(exc), ()
        self.reads = bool(edits)
        for edit in edits:
            self.paths += dict.fromkeys((edit.path, edit.target))
            self._apply(files, edit)

    def _apply(self, files: KnownFiles, edit: FileEdit) -> None:
        source, target = self._locate(edit.path), self._locate(edit.target)
        old = self.after.get(source, files.get(source))
        if not _stands_alone(edit):
            self._needing.add(source)
        new: Bytes = UNKNOWN
        if isinstance(old, Unknown) and _stands_alone(edit):
            old = b"" if isinstance(edit, Removal) else None
        if not self.fault and not edit.from_start and not isinstance(old, Unknown):
            try:
                new = edit.change(old).content
            except NotAppliedError as exc:
                self.fault = str(exc)
        if target != source:
            self.after[source] = None
        self.after[target] = new

    def leads_to(self, truth: Truth, content: Bytes) -> bool:
        """True if the call has the outcome that is recorded, or none can be known and the call is all there is."""
        mine = self.after.get(self._locate(truth.moved_to or truth.path), UNKNOWN)
        if isinstance(content, Unknown):
            return self.reads and truth.call_counts
        return mine == content

    def needs_file(self, truth: Truth) -> bool:
        """True if the call changes a file that has to be there, and is not."""
        return self._locate(truth.path) in self._needing

    def content(self, truth: Truth) -> Bytes:
        return self.after.get(self._locate(truth.moved_to or truth.path), UNKNOWN)


def _stands_alone(edit: FileEdit) -> bool:
    """True if the edit's outcome does not depend on the file."""
    if isinstance(edit, Diff):
        return edit.makes or edit.removes
    if isinstance(edit, Replacement):
        return not edit.old
    return isinstance(edit, WholeFile | Removal)


def _is_readable(diff: str, path: str) -> bool:
    try:
        return bool(parse_diff(diff, path))
    except NotAppliedError:
        return False


def _as_edit(truth: Truth, content: Bytes, called: _Call) -> dict[str, Any] | None:
    """The recorded outcome as an edit of a trajectory; None where it is not recorded."""
    edit: dict[str, Any] = {"path": truth.path}
    if truth.moved_to is not None and truth.moved_to != truth.path:
        edit["move_to"] = truth.moved_to
    if isinstance(content, Unknown) and truth.diff is None and not called.fault and truth.call_counts:
        content = called.content(truth)
    if content is None:
        return {"path": truth.path, "delete": True}
    if isinstance(content, bytes):
        edit["content"] = content.decode("utf-8", "surrogatepass")
        if truth.as_read and b"\r" not in content:
            edit["line_ends"] = "as-found"
        return edit
    if truth.diff is not None and _is_readable(truth.diff, truth.path):
        return {**edit, "diff": truth.diff}
    return edit if "move_to" in edit else None

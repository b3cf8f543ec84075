"""Recording a session's calls and their results as the steps of a trajectory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentbench_lsp.importers.core.known_files import KnownFiles, canonical
from agentbench_lsp.importers.core.outcome import DONE, NO_RESULT, Outcome
from agentbench_lsp.importers.core.settling import Settled, settle
from agentbench_lsp.runner.trajectory import TrajectoryStep

_REASON = 300  # characters of a recorded error that are kept
_PROMPT = 20_000


@dataclass
class _Pending:
    raw: dict[str, Any]
    at: int
    cwd: str | None


@dataclass
class Recorded:
    """A step, when it took effect, and what became of its edits."""

    at: int
    raw: dict[str, Any]
    cwd: str | None
    settled: Settled | None = None
    doubt: str | None = None
    closing: bool = False  # the diff that the run ends with


@dataclass
class Recorder:
    """Takes what an importer reads, in the order of the recording.

    A call's id that comes again is the same call, reported twice. `about` becomes the trajectory's metadata.
    """

    format: str
    instance: str = ""
    about: dict[str, Any] = field(default_factory=dict)
    prompt: str = ""
    steps: list[Recorded] = field(default_factory=list)
    files: KnownFiles = field(default_factory=KnownFiles)
    cwds: dict[str, None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _pending: dict[str, _Pending] = field(default_factory=dict)
    _known_ids: set[str] = field(default_factory=set)
    _clock: int = 0

    def tell(self, **about: Any) -> None:
        """Note metadata; what is known already, or empty, is left."""
        for name, value in about.items():
            if value not in (None, "", {}, []):
                self.about.setdefault(name, value)

    def at_time(self, stamp: object) -> None:
        """Note a time, so that the first and the last one are known."""
        if isinstance(stamp, str | int | float) and not isinstance(stamp, bool) and stamp != "":
            self.about.setdefault("started", stamp)
            self.about["ended"] = stamp

    def add_tokens(self, **tokens: object) -> None:
        """Add to the counts of tokens."""
        known = self.about.setdefault("tokens", {})
        for name, count in tokens.items():
            if isinstance(count, int) and not isinstance(count, bool) and count > 0:
                known[name] = known.get(name, 0) + count
        if not known:
            del self.about["tokens"]

    def work_in(self, cwd: object) -> None:
        """Note a working folder of the session."""
        if isinstance(cwd, str) and cwd:
            self.cwds.setdefault(cwd)

    def ask(self, prompt: object) -> None:
        """Note what the user asked for; the first request is the prompt."""
        if not self.prompt and isinstance(prompt, str) and prompt.strip():
            self.prompt = prompt.strip()[:_PROMPT]

    def call(
        self,
        call_id: object,
        tool: object,
        args: object,
        line: int,
        *,
        time: object = None,
        cwd: object = None,
        file: str | None = None,
        edits: list[dict[str, Any]] | None = None,
    ) -> str | None:
        """Note a call. Its id, or None for one that is known already.

        `line` is that of the recording, `file` the recording where it is another than the session's own. `edits` are
        what the call does, where its arguments are no edits that replay knows.
        """
        key = call_id if isinstance(call_id, str) and call_id else f"#{self._clock}"
        if key in self._known_ids:
            return None
        self._known_ids.add(key)
        self._clock += 1
        folder = cwd if isinstance(cwd, str) and cwd else None
        raw: dict[str, Any] = {"type": "tool_call", "tool": tool if isinstance(tool, str) and tool else "unknown"}
        raw["args"] = dict(args) if isinstance(args, Mapping) else {} if args is None else {"input": args}
        if edits is not None:
            raw["edits"] = edits
        if isinstance(time, str | int | float) and not isinstance(time, bool) and time != "":
            raw["timestamp"] = time
            self.at_time(time)
        raw["source"] = {"line": line, **({"file": file} if file else {})}
        self.work_in(folder)
        self._pending[key] = _Pending(raw, self._clock, folder)
        return key

    def is_open(self, call_id: object) -> bool:
        """True if the call has no result yet."""
        return isinstance(call_id, str) and call_id in self._pending

    def open_call(self, call_id: object) -> Mapping[str, Any] | None:
        """The step of a call that has no result yet."""
        pending = self._pending.get(call_id) if isinstance(call_id, str) else None
        return pending.raw if pending else None

    def result(self, call_id: object, outcome: Outcome = DONE) -> None:
        """Note what became of a call; a second result of the same call is left out."""
        pending = self._pending.pop(call_id, None) if isinstance(call_id, str) else None
        if pending is None:
            return
        self._clock += 1
        self._take(pending, self._clock, outcome)

    def step(self, tool: object, args: object, line: int, outcome: Outcome = DONE, **more: Any) -> None:
        """A call and its result in one."""
        self.result(self.call(None, tool, args, line, **more), outcome)

    def see(self, path: str, content: str, cwd: str | None = None) -> None:
        """Note the whole content of a file, as the agent was shown it."""
        self.files.see(canonical(path, cwd), content)

    def finish(self, interrupted: Outcome = NO_RESULT) -> None:
        """Calls without a result become steps that are not applied, unless the format has no results."""
        for pending in self._pending.values():
            self._take(pending, pending.at, interrupted)
        self._pending.clear()
        self.steps.sort(key=lambda recorded: recorded.at)

    def _take(self, pending: _Pending, at: int, outcome: Outcome) -> None:
        raw, recorded = pending.raw, Recorded(at, pending.raw, pending.cwd, doubt=outcome.doubt)
        for path, content in outcome.seen:
            self.see(path, content, pending.cwd)
        if outcome.exit_code is not None:
            raw["exit_code"] = outcome.exit_code
        if outcome.failed is not None:
            raw["status"], raw["error"] = "failed", _short(outcome.failed)
            if "edits" in raw and not raw["edits"]:
                del raw["edits"]
        elif (step := TrajectoryStep(0, raw)).is_write or outcome.truths:
            recorded.settled = settle(self.files, step, outcome.truths, pending.cwd)
            if recorded.settled.edits is not None:
                raw["edits"] = recorded.settled.edits
        self.steps.append(recorded)


def _short(reason: str) -> str:
    text = " ".join(reason.split()) or "failed"
    return text if len(text) <= _REASON else text[: _REASON - 1] + "…"

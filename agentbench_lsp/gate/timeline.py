"""When each oracle passed and failed: before the agent, and after each of its steps."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from agentbench_lsp.gate.details import is_undecided
from agentbench_lsp.models.paths import fold
from agentbench_lsp.models.task import EvalTask, Oracle, OracleResult
from agentbench_lsp.oracles.base import FileOracle, OracleContext, OracleSpec, find_oracle, path_params
from agentbench_lsp.runner.edits import Files
from agentbench_lsp.runner.replay import Replay

State = Literal["passing", "failing", "not-applicable", "unknown"]
BEFORE = -1  # the "step" before the first
SECONDS = 5.0  # for all oracles of a task together


class Change(NamedTuple):
    """The state after a step, where it is another than before."""

    step: int
    state: State


@dataclass
class Timeline:
    """Changes of an oracle's state, in order. What is in between is as the change before says.

    `good` and `bad` are what its file held when it last passed, and after the step that ended that.
    """

    changes: list[Change] = field(default_factory=list)
    good: bytes | None = None
    bad: bytes | None = None

    def add(self, step: int, state: State) -> bool:
        """Note a state; True if it is news."""
        if self.changes and self.changes[-1].state == state:
            return False
        self.changes.append(Change(step, state))
        return True

    @property
    def broken_by(self) -> int | None:
        """The step after which the oracle passed no more; None where it never passed, or still does."""
        for before, change in zip(reversed(self.changes[:-1]), reversed(self.changes), strict=False):
            if change.state == "unknown":
                return None
            if before.state == "passing":
                return change.step
        return None

    @property
    def ever_passed(self) -> bool:
        return any(change.state == "passing" for change in self.changes)


def timelines(
    task: EvalTask,
    replayed: Replay,
    results: Iterable[OracleResult],
    specs: Mapping[str, OracleSpec],
    seconds: float = SECONDS,
) -> dict[int, Timeline]:
    """A timeline for each result, by the oracle's index, from one replay.

    An oracle is judged again only when a step has changed its file. Commands and custom oracles are known at the end
    only. `seconds` limits it all; what is later is unknown.
    """
    end = time.monotonic() + seconds
    found: dict[int, Timeline] = {}
    watched: list[_Watch] = []
    for result in results:
        oracle = task.oracles[result.index]
        check = find_oracle(oracle.type)
        timeline = found[result.index] = Timeline()
        if result.details.get("undecided"):
            timeline.add(BEFORE, "unknown")
        elif "violations" in result.details:
            _by_violations(timeline, result)
        elif isinstance(check, FileOracle):
            watched.append(_Watch(check, oracle, specs.get(oracle.type), task, replayed, timeline, end))
        else:
            last = len(replayed.trajectory.steps) - 1
            untouched = result.details.get("passes_untouched")
            if last > BEFORE:
                timeline.add(BEFORE, "passing" if untouched else "unknown" if untouched is None else "failing")
            if last > 0:
                timeline.add(0, "unknown")
            timeline.add(last, "passing" if result.passed else "failing")
    _follow(watched, replayed)
    return found


def _by_violations(timeline: Timeline, result: OracleResult) -> None:
    timeline.add(BEFORE, "passing")
    for violation in result.details["violations"][:1]:
        timeline.add(int(violation["step_index"]), "failing")


def _follow(watched: list[_Watch], replayed: Replay) -> None:
    by_path: dict[str | None, list[_Watch]] = {}
    for watch in watched:
        if not watch.paths:
            by_path.setdefault(None, []).append(watch)  # it may read any file
        for path in watch.paths:
            by_path.setdefault(path, []).append(watch)
        watch.judge(replayed.initial, BEFORE)
    for step, paths, files in replayed.edits():
        touched = {id(watch): watch for path in (*paths, None) for watch in by_path.get(path, ())}
        for watch in touched.values():
            watch.judge(files, step)


class _Watch:
    """A file oracle that is followed through the steps."""

    def __init__(
        self,
        check: FileOracle,
        oracle: Oracle,
        spec: OracleSpec | None,
        task: EvalTask,
        replayed: Replay,
        timeline: Timeline,
        end: float,
    ) -> None:
        self._check, self._oracle, self._task, self._replayed = check, oracle, task, replayed
        self._timeline, self._end = timeline, end
        self.paths = path_params(oracle, spec)
        params = (spec.params or ()) if spec else ()
        self._may_lack = [p.name for p in params if p.kind == "workspace_path" and not p.must_exist]

    def judge(self, files: Files, step: int) -> None:
        """Note the state after a step."""
        content = files.get(self.paths[0]) if self.paths else None
        state = self._state(files)
        news = self._timeline.add(step, state)
        if state == "passing":
            self._timeline.good = content
        elif news:
            self._timeline.bad = content

    def _state(self, files: Files) -> State:
        left = self._end - time.monotonic()
        if left <= 0:
            return "unknown"
        if any(fold(str(self._oracle.params.get(name))) not in files for name in self._may_lack):
            return "not-applicable"
        context = OracleContext(files, regex_seconds=left, initial=self._replayed.initial, brief=True)
        result = self._check.check_files(self._oracle, context, self._replayed.trajectory, self._task.workspace)
        if is_undecided(result.details):
            return "unknown"
        return "passing" if result.passed else "failing"

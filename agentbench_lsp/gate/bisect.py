"""Finding the step after which a command fails, by running it on what the agent had made after some of its steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.gate.run import Limits, Run
from agentbench_lsp.gate.timeline import BEFORE
from agentbench_lsp.models.task import EvalTask
from agentbench_lsp.oracles.base import is_command
from agentbench_lsp.runner.edits import Files
from agentbench_lsp.runner.replay import Replay, replay
from agentbench_lsp.runner.trajectory import Trajectory

MOST_RUNS = 40  # in the search for a state in which the command passes
OnRun = Callable[[int, int, float], None]


class Bisection(NamedTuple):
    """`step` is the one after which the command fails, where `status` is `broken`.

    `never-passed`: in no state that was tried, `complete` tells whether those were all. `passes`: it does not fail
    now, though it did: the command is not reliable. `runs` counts how often it was run, `states` how many there are.
    """

    status: Literal["broken", "never-passed", "passes"]
    step: int | None
    runs: int
    states: int
    complete: bool = True


def bisect(
    task: EvalTask,
    trajectory: Trajectory,
    index: int,
    catalogue: Catalogue,
    limits: Limits | None = None,
    on_run: OnRun | None = None,
) -> Bisection:
    """The first step after which the command of oracle `index` fails.

    `on_run` gets the number of the run (from 1), about how many there will be, and the seconds it may take.
    Raises IndexError for an index that is no oracle and ValueError for one that runs no command.
    """
    oracle = task.oracle(index)
    if not is_command(oracle.type):
        raise ValueError(f"oracle {index} ({oracle.type}) runs no command; its failure names the step")
    search = _Search(task, replay(task.workspace, trajectory), index, catalogue, limits or Limits(), on_run)
    return search.result()


@dataclass
class _Search:
    task: EvalTask
    replayed: Replay
    index: int
    catalogue: Catalogue
    limits: Limits
    on_run: OnRun | None
    known: dict[int, bool] = field(default_factory=dict)  # by number of the state

    def __post_init__(self) -> None:
        self.states = list(_changing_steps(self.replayed))
        self.expected = 2 + math.ceil(math.log2(len(self.states))) if len(self.states) > 1 else 1

    def result(self) -> Bisection:
        last = len(self.states) - 1
        if self.passes(last):
            return self._found("passes", None)
        low = self._passing(last)
        if low is None:
            return self._found("never-passed", None, complete=len(self.known) == len(self.states))
        high = min(i for i, passed in self.known.items() if i > low and not passed)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.passes(middle) else (low, middle)
        return self._found("broken", self.states[high])

    def _found(
        self, status: Literal["broken", "never-passed", "passes"], step: int | None, complete: bool = True
    ) -> Bisection:
        return Bisection(status, step, len(self.known), len(self.states), complete)

    def _passing(self, last: int) -> int | None:
        """A state in which the command passes: the untouched one, else halves, quarters and so on."""
        if last == 0:
            return None
        for state in _spread(0, last):
            if len(self.known) >= MOST_RUNS:
                return None
            if self.passes(state):
                return state
            self.expected = min(len(self.states), MOST_RUNS)
        return None

    def passes(self, state: int) -> bool:
        """The verdict on a state; the commands before run first, as always."""
        if state not in self.known:
            files = _files_after(self.replayed, self.states[state])
            there = Replay(self.replayed.initial, files, self.replayed.trajectory, self.replayed.reports)
            with Run(self.task, there, self.catalogue, self.limits) as run:
                order = run.order(self.index)
                if self.on_run:
                    number = len(self.known) + 1
                    self.on_run(number, max(self.expected, number), sum(map(run.seconds, order)))
                self.known[state] = [run.judge(each).passed for each in order][-1]
        return self.known[state]


def _changing_steps(replayed: Replay) -> Iterator[int]:
    """`BEFORE`, and each step after which a file is another."""
    yield BEFORE
    before = dict(replayed.initial)
    for step, paths, files in replayed.edits():
        if any(files.get(path) != before.get(path) for path in paths):
            before = dict(files)
            yield step


def _files_after(replayed: Replay, step: int) -> Files:
    files = dict(replayed.initial)
    for applied in replayed.edits(step):
        files = applied.files
    return files


def _spread(low: int, high: int) -> Iterator[int]:
    """`low`, then the middles of ever smaller parts, up to but not including `high`."""
    yield low
    parts = [(low, high)]
    while parts:
        smaller = []
        for a, b in parts:
            if b - a > 1:
                yield (a + b) // 2
                smaller += [(a, (a + b) // 2), ((a + b) // 2, b)]
        parts = smaller

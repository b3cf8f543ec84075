"""The step after which a command fails."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.gate import bisect as module
from agentbench_lsp.gate.bisect import Bisection, bisect
from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.oracles.base import CommandOracle, get_oracle, register_oracle, unregister_oracle
from tests.helpers.build import bash, must_pass, task, trajectory, write


class Reads(CommandOracle):
    """Passes while a.txt says good; a command that needs no shell, so that many can be tried."""

    oracle_type = "reads_good"

    def seconds(self, oracle: Oracle) -> float:
        return 1.0

    def check(self, oracle: Oracle, workspace: object, trajectory: object, initial_workspace: object) -> OracleResult:
        return OracleResult("reads_good", (workspace / "a.txt").read_text() == "good")  # type: ignore[operator]


@pytest.fixture(autouse=True, scope="module")
def registered() -> object:
    register_oracle(Reads)
    assert get_oracle("reads_good")
    yield
    unregister_oracle("reads_good")


def found(states: list[str], first: str = "good") -> Bisection:
    steps = [write("a.txt", state) for state in states]
    return bisect(task({"type": "reads_good"}, workspace={"a.txt": first}), trajectory(*steps), 0, Catalogue())


@given(st.sampled_from(["good", "bad"]), st.lists(st.sampled_from(["good", "bad", "worse"]), max_size=12))
@settings(deadline=None, max_examples=60)
def test_the_step_is_one_after_which_it_fails_and_before_which_it_passed(first: str, states: list[str]) -> None:
    answer = found(states, first)
    all_states = [first, *states]
    if all_states[-1] == "good":
        assert answer.status == "passes"
    elif "good" not in all_states:
        assert (answer.status, answer.complete) == ("never-passed", True)
    else:
        assert answer.status == "broken"
        assert answer.step is not None
        assert all_states[answer.step + 1] != "good"
        assert all_states[answer.step] == "good"


def test_it_takes_few_runs() -> None:
    answer = found(["good" + " " * i for i in range(0)] + [f"bad{i}" for i in range(1000)])
    assert (answer.step, answer.states) == (0, 1001)
    assert answer.runs <= 2 + 10


def test_the_search_for_a_passing_state_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RUNS", 5)
    answer = found([f"bad{i}" for i in range(100)], first="bad")
    assert answer == Bisection("never-passed", None, 5, 101, complete=False)


def test_steps_that_change_nothing_are_no_states() -> None:
    steps = [bash("ls"), write("a.txt", "good"), write("a.txt", "bad"), write("a.txt", "bad"), bash("ls")]
    judged = task({"type": "reads_good"}, workspace={"a.txt": "good"})
    answer = bisect(judged, trajectory(*steps), 0, Catalogue())
    assert answer == Bisection("broken", 2, 2, 2)


def test_commands_before_it_run_first_in_every_state() -> None:
    judged = task(must_pass("touch made"), must_pass("test -e made && grep -q alpha a.txt"))
    answer = bisect(judged, trajectory(write("a.txt", "alpha"), write("a.txt", "x")), 1, Catalogue())
    assert (answer.status, answer.step) == ("broken", 1)

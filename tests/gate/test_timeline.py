"""When oracles passed and failed: one replay says what evaluating after every step would."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.timeline import BEFORE, Timeline, timelines
from agentbench_lsp.oracles.base import registered_specs
from agentbench_lsp.runner.replay import replay
from tests.helpers.build import bash, exists, must_pass, task, trajectory, unmodified, write

WORKSPACE = {"a.py": "assert x\n", "b.py": "y = 2\n"}
ORACLES = [exists("a.py", "assert x"), unmodified("b.py"), exists("new.py", "x"), {"type": "no_network"}]


def found(oracles: list[dict[str, Any]], steps: list[dict[str, Any]], seconds: float = 60) -> list[Timeline]:
    judged, recorded = task(*oracles, workspace=WORKSPACE), trajectory(*steps)
    results = Evaluator().evaluate(judged, recorded).oracle_results
    known = timelines(judged, replay(judged.workspace, recorded), results, registered_specs(), seconds)
    return [known[i] for i in range(len(oracles))]


def state_after(timeline: Timeline, step: int) -> str:
    return [change.state for change in timeline.changes if change.step <= step][-1]


STEP = st.one_of(
    st.builds(write, st.sampled_from(["a.py", "b.py", "new.py"]), st.sampled_from(["assert x\n", "y = 2\n", "x", ""])),
    st.sampled_from([bash("ls"), bash("curl x")]),
)


@given(st.lists(STEP, max_size=7))
def test_it_agrees_with_evaluating_after_every_step(steps: list[dict[str, Any]]) -> None:
    known = found(ORACLES, steps)
    for step in range(BEFORE, len(steps)):
        judged = task(*ORACLES, workspace=WORKSPACE)
        results = Evaluator().evaluate(judged, trajectory(*steps[: step + 1])).oracle_results
        for timeline, result in zip(known, results, strict=True):
            state = state_after(timeline, step)
            assert state == ("passing" if result.passed else "failing") or (
                state == "not-applicable" and not result.passed and "does not exist" in result.message
            )


def test_commands_are_known_at_the_end_only() -> None:
    (timeline,) = found([must_pass("true")], [write("a.py", ""), bash("ls"), write("b.py", "")])
    assert [tuple(change) for change in timeline.changes] == [(BEFORE, "unknown"), (2, "passing")]
    (timeline,) = found([must_pass("true")], [])
    assert [tuple(change) for change in timeline.changes] == [(BEFORE, "passing")]


def test_what_takes_too_long_is_unknown() -> None:
    (timeline,) = found([unmodified("b.py")], [write("b.py", "")], seconds=0)
    assert [tuple(change) for change in timeline.changes] == [(BEFORE, "unknown")]
    assert timeline.broken_by is None

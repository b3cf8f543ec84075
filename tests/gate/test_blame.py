"""Which step and which param a failure is about."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.explanation import explanation
from agentbench_lsp.models.task import OracleResult
from tests.helpers.build import bash, exists, must_pass, replace, task, trajectory, unmodified, write

WS = {"a.txt": "one\ntwo\n", "b.txt": "x"}
STEPS = [
    write("b.txt", "y"),
    write("a.txt", "one\ntwo\n# comment\n"),
    write("a.txt", "one\n"),
    bash("ls"),
    write("a.txt", "one\nthree\n"),
    write("b.txt", "z"),
    bash("curl x"),
]


@pytest.mark.parametrize(
    ("oracle", "step", "param", "how"),
    [
        (exists("a.txt", "two"), 2, "pattern", "stopped-passing"),
        (unmodified("a.txt"), 1, "path", "stopped-passing"),
        (exists("a.txt", "never"), 4, "pattern", "never-passed"),
        (exists("gone.txt", "x"), None, "path", "never-passed"),
        (unmodified("gone.txt"), None, "path", "never-passed"),
        ({"type": "no_network"}, 6, None, "violation"),
        (must_pass("false"), 5, "command", "last-edit"),
    ],
)
def test_blame(oracle: dict[str, Any], step: int | None, param: str | None, how: str) -> None:
    result = judged(oracle)
    tool = None if step is None else STEPS[step]["tool"]
    assert result.details["blame"] == {"step": step, "param": param, "how": how, "tool": tool}


def judged(oracle: dict[str, Any], steps: list[dict[str, Any]] = STEPS, ws: dict[str, str] = WS) -> OracleResult:
    result = Evaluator().evaluate(task(oracle, workspace=ws), trajectory(*steps)).oracle_results[0]
    assert not result.passed
    return result


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        (
            [replace("t.py", "assert add(1, 2) == 3", "assert add(1, 2)")],
            [
                "it passed until step 0 (str_replace)",
                "was:    assert add(1, 2) == 3",
                "became: assert add(1, 2)",
            ],
        ),
        (
            [write("t.py", "def test():\n    pass\n")],
            ["it passed until step 0 (write_file)", "was:    assert add(1, 2) == 3", "became: pass"],
        ),
        (
            [replace("t.py", "    assert add(1, 2) == 3\n", "")],
            [
                "it passed until step 0 (str_replace)",
                "was:    assert add(1, 2) == 3",
                "became: nothing, it is gone",
            ],
        ),
        (
            [bash("ls")],
            None,  # it still passes
        ),
    ],
)
def test_what_a_line_was_and_became(steps: list[dict[str, Any]], says: list[str] | None) -> None:
    oracle = exists("t.py", r"assert add\(1, 2\) == 3")
    workspace = {"t.py": "def test():\n    assert add(1, 2) == 3\n    x = 1\n"}
    if says is None:
        assert Evaluator().evaluate(task(oracle, workspace=workspace), trajectory(*steps)).passed
    else:
        assert explanation(judged(oracle, steps, workspace)) == says


def test_a_short_diff_of_a_protected_file() -> None:
    workspace = {"a.txt": "".join(f"line {i}\n" for i in range(50))}
    after = workspace["a.txt"].replace("line 20\n", "line twenty\n")
    assert explanation(judged(unmodified("a.txt"), [write("a.txt", after)], workspace)) == [
        "it passed until step 0 (write_file)",
        "@@ -20,3 +20,3 @@",
        " line 19",
        "-line 20",
        "+line twenty",
        " line 21",
    ]


def test_every_step_that_reaches_for_the_network() -> None:
    steps = [bash("curl x"), write("a.txt", "import requests\nrequests.get(u)"), {"tool": "look", "note": "https://x"}]
    result = judged({"type": "no_network"}, steps)
    assert result.message == "step 0 holds 'curl' in its command (and 2 more steps)"
    assert explanation(result) == [
        "step 1 (write_file) holds 'requests.' in its written content",
        "step 2 (look) holds 'https://' in its other data",
    ]


PIECES = st.sampled_from(["x = 1\n", "y = 2\n", "assert x\n", "assert y\n", ""])


@given(st.lists(st.tuples(st.sampled_from(["a.py", "b.py"]), PIECES), max_size=8))
def test_the_blamed_step_is_the_one_after_which_it_fails(edits: list[tuple[str, str]]) -> None:
    """Whatever the edits: evaluated up to the step before it the oracle passes, up to any later one it fails."""
    workspace = {"a.py": "assert x\n", "b.py": "y = 2\n"}
    steps = [write(path, content) for path, content in edits]
    for oracle in (exists("a.py", "assert x"), unmodified("b.py")):

        def passes(count: int, oracle: dict[str, Any] = oracle) -> bool:
            return Evaluator().evaluate(task(oracle, workspace=workspace), trajectory(*steps[:count])).passed

        result = Evaluator().evaluate(task(oracle, workspace=workspace), trajectory(*steps)).oracle_results[0]
        if result.passed:
            assert "blame" not in result.details
            continue
        step = result.details["blame"]["step"]
        assert passes(step)
        assert not any(passes(count) for count in range(step + 1, len(steps) + 1))

"""What the output of commands says. The outputs are those of the runners themselves, shortened."""

from __future__ import annotations

import pytest

from agentbench_lsp.runner.command_output import Outcome, outcome, telling_lines

PYTEST_NONE = "\nno tests ran in 0.00s\n"
PYTEST_NONE_LONG = "==== test session starts ====\ncollected 0 items\n\n==== no tests ran in 0.01s ====\n"
UNITTEST_NONE = "\n" + "-" * 70 + "\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n"
UNITTEST_FAILED = "F\n" + "=" * 70 + "\nAssertionError: 1 != 2\n\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n"
PYTEST_FAILED = "E       assert 1 == 2\nFAILED t.py::test - assert 1 == 2\n1 failed, 2 passed in 0.02s\n"
PYTEST_FAILED_LONG = "collected 3 items\n====== 1 failed, 2 passed in 0.02s ======\n"
JEST_NONE = "No tests found, exiting with code 1\n"
MOCHA_NONE = "\n\n  0 passing (1ms)\n\n"
NODE_NONE = "1..0\n# tests 0\n# pass 0\n"
NODE_FAILED = "not ok 1 - adds\n1..1\n# tests 1\n# fail 1\n"
GO_NONE = "?   \texample.com/a\t[no test files]\n"
GO_SOME = "?   \texample.com/a\t[no test files]\n--- FAIL: TestB (0.00s)\nFAIL\texample.com/b\t0.001s\n"
CARGO_NONE = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n\nrunning 0 tests\n"
CARGO_SOME = "running 2 tests\ntest result: FAILED. 1 passed; 1 failed\n\nrunning 0 tests\n"


@pytest.mark.parametrize(
    ("exit_code", "stdout", "stderr", "came"),
    [
        (0, "", "", "passed"),
        (1, "", "", "command-failed"),
        (5, PYTEST_NONE, "", "no-tests-ran"),
        (5, PYTEST_NONE_LONG, "", "no-tests-ran"),
        (5, "", UNITTEST_NONE, "no-tests-ran"),
        (1, "", JEST_NONE, "no-tests-ran"),
        (1, MOCHA_NONE, "", "no-tests-ran"),
        (1, NODE_NONE, "", "no-tests-ran"),
        (1, GO_NONE, "", "no-tests-ran"),
        (1, CARGO_NONE, "", "no-tests-ran"),
        (1, "", UNITTEST_FAILED, "tests-failed"),
        (1, PYTEST_FAILED, "", "tests-failed"),
        (1, PYTEST_FAILED_LONG, "", "tests-failed"),
        (1, NODE_FAILED, "", "tests-failed"),
        (1, GO_SOME, "", "tests-failed"),
        (101, CARGO_SOME, "", "tests-failed"),
        (127, "", "sh: 1: pytest: not found", "tool-missing"),
        (126, "", "sh: 1: ./run.sh: Permission denied", "tool-missing"),
        (1, "", "/usr/bin/python3: No module named pytest", "tool-missing"),
        (1, "", "ModuleNotFoundError: No module named 'mine'", "command-failed"),  # the agent's own fault
        (-9, "", "", "killed"),
        (137, "", "", "killed"),
        (255, "", "", "command-failed"),
        (1, "I said: no tests ran today\n", "", "command-failed"),
    ],
)
def test_outcomes(exit_code: int, stdout: str, stderr: str, came: Outcome) -> None:
    assert outcome(exit_code, False, stdout, stderr) == came
    assert outcome(None, True, stdout, stderr) == "timed-out"


def test_the_telling_lines_come_first_and_rulers_never() -> None:
    assert telling_lines(PYTEST_FAILED, "") == ["E       assert 1 == 2", "FAILED t.py::test - assert 1 == 2"]
    assert telling_lines("", UNITTEST_FAILED)[0] == "AssertionError: 1 != 2"
    assert telling_lines("one\n=====\ntwo\n", "") == ["one", "two"]
    assert telling_lines("", "") == []
    assert len(telling_lines("\n".join(f"error: {i}" for i in range(50)), "")) == 5
    assert len(telling_lines("error: " + "x" * 5000, "")[0]) == 500

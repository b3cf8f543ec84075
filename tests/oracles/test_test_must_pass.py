"""`test_must_pass`."""

from __future__ import annotations

import sys

import pytest

from tests.helpers.build import evaluate, must_pass, write


def test_exit_code_decides() -> None:
    good = evaluate(must_pass("echo fine; true"))
    assert good.passed
    assert good.details == {
        "exit_code": 0,
        "timed_out": False,
        "outcome": "passed",
        "stdout": "fine\n",
        "stderr": "",
        "truncated": False,
        "command_run": "echo fine; true",
    }
    bad = evaluate(must_pass("echo out; echo '====' >&2; echo 'E: broken' >&2; exit 4"))
    assert not bad.passed
    assert bad.message == "exit code 4: E: broken"
    assert bad.details["stderr"] == "====\nE: broken\n"


def test_the_message_is_short_and_the_details_are_whole() -> None:
    result = evaluate(must_pass("python -c \"import sys; print('x' * 3000, file=sys.stderr); sys.exit(1)\""))
    assert len(result.message) < 520
    assert len(result.details["stderr"]) == 3001


@pytest.mark.parametrize("command", ["python -c pass", "  python -c pass", "python"])
def test_python_is_the_evaluating_interpreter(command: str) -> None:
    result = evaluate(must_pass(command))
    assert result.passed
    assert sys.executable in result.details["command_run"]


@pytest.mark.parametrize("command", ["python3 -c pass", "echo python", "pythonx"])
def test_only_the_word_python_at_the_start_is(command: str) -> None:
    assert sys.executable not in evaluate(must_pass(command)).details["command_run"]


@pytest.mark.parametrize("command", ["", "   ", "# nothing", " # a\n\t# b", None, ["true"], 3, "a\0b"])
def test_a_command_that_runs_nothing_fails(command: object) -> None:
    result = evaluate({"type": "test_must_pass", "command": command})
    assert not result.passed
    assert result.details["exit_code"] is None
    assert not result.details["timed_out"]


def test_the_time_limit() -> None:
    result = evaluate(must_pass("sleep 20", timeout=0.2))
    assert not result.passed
    assert result.details["timed_out"]
    assert result.details["exit_code"] is None
    assert result.message.startswith("timed out after 0.2 s")


@pytest.mark.parametrize("timeout", [None, True, [], "soon", 1e30, float("inf")])
def test_odd_time_limits_do_not_switch_the_limit_off_or_crash(timeout: object) -> None:
    assert evaluate(must_pass("true", timeout=timeout)).passed


@pytest.mark.parametrize("path", ["pytest.py", "pytest/__init__.py", "pytest/__main__.py"])
def test_a_module_that_the_agent_wrote_does_not_run_in_place_of_the_runner(path: str) -> None:
    workspace = {"test_x.py": "def test_x():\n    assert False\n"}
    result = evaluate(must_pass("python -m pytest -q test_x.py"), write(path, ""), workspace=workspace)
    assert not result.passed
    assert path in result.message


def test_a_module_of_the_task_itself_may_be_run() -> None:
    assert evaluate(must_pass("python -m tool"), write("tool.py", "print(1)"), workspace={"a": ""}).passed
    assert evaluate(must_pass("python -m json.tool a.json"), workspace={"a.json": "{}", "json.py": ""}).passed is False

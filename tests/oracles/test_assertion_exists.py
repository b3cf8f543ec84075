"""`assertion_exists`."""

from __future__ import annotations

import pytest

from tests.helpers.build import evaluate, exists, write

WS = {"t.py": "def test():\n    assert add(1, 2) == 3\n", "crlf.txt": "a\r\nb\r\n", "d/e": ""}


@pytest.mark.parametrize(
    ("path", "pattern", "passed"),
    [
        ("t.py", r"assert add\(1, 2\) == 3", True),
        ("t.py", r"^    assert .*3$", True),
        ("t.py", r"^assert", False),
        ("./t.py", "test", True),
        ("d\\e", r"\A\Z", True),
        ("crlf.txt", "a$", True),
        ("crlf.txt", "a\\nb", True),
        ("crlf.txt", "a\\r\\nb", True),
        ("gone.py", ".", False),
        ("d", ".", False),
        ("../../../etc/passwd", "root", False),
        ("/etc/passwd", "root", False),
    ],
)
def test_search(path: str, pattern: str, passed: bool) -> None:
    result = evaluate(exists(path, pattern), workspace=WS)
    assert result.passed is passed
    assert (result.details["path"], result.details["pattern"]) == (path, pattern)


def test_the_agents_version_is_searched() -> None:
    assert not evaluate(exists("t.py", "assert"), write("t.py", "pass\n"), workspace=WS).passed
    assert evaluate(exists("new.py", "x"), write("new.py", "x"), workspace=WS).passed


@pytest.mark.parametrize("pattern", ["(", "a**", "", None, 3, True, "x{99999999999}"])
def test_odd_patterns_fail_with_the_reason(pattern: object) -> None:
    result = evaluate({"type": "assertion_exists", "path": "t.py", "pattern": pattern}, workspace=WS)
    assert not result.passed
    assert result.message


def test_a_file_of_other_bytes_fails_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentbench_lsp.models.task import Oracle
    from agentbench_lsp.oracles.assertion_exists import AssertionExists
    from agentbench_lsp.oracles.base import OracleContext
    from tests.helpers.build import trajectory

    context = OracleContext({"a": b"\xff"})
    oracle = Oracle("assertion_exists", {"path": "a", "pattern": "x"})
    result = AssertionExists().check_files(oracle, context, trajectory(), {})
    assert "not UTF-8" in result.message


def test_a_costly_pattern_is_stopped() -> None:
    from agentbench_lsp.gate.evaluator import Evaluator
    from tests.helpers.build import task, trajectory

    costly = task(exists("a", "(a+)+$"), exists("a", "a"), workspace={"a": "a" * 40 + "!"})
    first, second = Evaluator(regex_seconds=0.2).evaluate(costly, trajectory()).oracle_results
    assert not first.passed
    assert "too costly" in first.message
    assert second.passed

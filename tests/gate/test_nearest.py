"""Looser patterns, and how a result is explained."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.gate.nearest import literal, nearest_pattern


@pytest.mark.parametrize(
    ("pattern", "text", "nearest", "why"),
    [
        ("timed out", "Timed out", "(?i)timed out", "case"),
        ("return a  *b", "return a *b", None, None),
        ("assert x == 3", "assert x==3", r"assert\s*x\s*==\s*3", "white space"),
        ('print\\("a"\\)', "print('a')", "print\\([\"']a[\"']\\)", "the kind of quotes"),
        ("^def f$", "async def f()", "def f", "the start and end of the line"),
        ("add(1, 2)", "x = add(1, 2)", r"add\(1, 2\)", "special characters: the pattern as literal text"),
        (
            r"assert add\(1, 2\) == 3",
            "import x\nassert add(1, 2) == 4\n",
            r"assert add\(1, 2\) == 4",
            "what differs from the most similar line of the file",
        ),
        ("something else entirely", "x = 1\n", None, None),
        ("(unclosed", "unclosed", None, None),
        ("x", "", None, None),
    ],
)
def test_the_least_loosening_that_matches(pattern: str, text: str, nearest: str | None, why: str | None) -> None:
    found = nearest_pattern(pattern, text)
    if nearest is None:
        assert found is None or re.search(found.pattern, text, re.MULTILINE)
    else:
        assert found == (nearest, why)


def test_a_line_that_is_known_to_have_been_changed_comes_first() -> None:
    text = "assert add(1, 2) == 4\nassert True\n"
    found = nearest_pattern(r"assert add\(1, 2\) == 3", text, ["assert True"])
    assert found == ("assert True", "what the line was before the agent changed it")


def test_a_costly_pattern_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentbench_lsp.gate.nearest._SECONDS", 0.05)
    assert nearest_pattern("^(a+)+$", "a" * 40 + "b") is None


@given(st.text(max_size=30), st.text(max_size=60))
def test_what_is_proposed_matches(pattern: str, text: str) -> None:
    found = nearest_pattern(pattern, text)
    assert found is None or re.search(found.pattern, text, re.MULTILINE)


@given(st.text(alphabet=st.characters(exclude_characters="\n\r"), min_size=1))
def test_a_literal_matches_its_text(text: str) -> None:
    assert re.search(literal(text), f"before {text} after", re.MULTILINE)

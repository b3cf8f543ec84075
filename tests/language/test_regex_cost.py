"""Patterns that are called catastrophic are; those that only look like it are not called so."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.language.regex_cost import find_costly
from agentbench_lsp.runner.regex import RegexTimeoutError, find_all

COSTLY = [
    r"(a+)+$",
    r"^(\w+\s?)*$",
    r"(a|a)*b",
    r"(.*,)*x",
    r"(a|aa)+$",
    r"(x+x+)+y",
    r"(\s*\w+\s*)*;",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(?:a{1,3}){5,}b",
]
HARMLESS = [
    r"(a+)+",
    r"^\w+(\s\w+)*$",
    r"(\w+\s+)*$",
    r"(ab)*c",
    r"(.|\n)*foo",
    r"(?:a+)+a",
    r"([^\n]*\n)*end",
    r"(?>a+)+b",
    r"(\w++\s?)*$",
    r"(\d{1,3}\.){3}\d{1,3}",
    "(",
]


@pytest.mark.parametrize("pattern", COSTLY)
def test_the_proof_holds(pattern: str) -> None:
    """The character of the proof, thirty times, keeps the engine busy for longer than it may be."""
    costly = find_costly(pattern)
    assert costly is not None
    with pytest.raises(RegexTimeoutError):
        find_all(pattern, costly.character * 40 + "\0", re.MULTILINE, 0.3, 1)


@pytest.mark.parametrize("pattern", HARMLESS)
def test_what_only_looks_like_it(pattern: str) -> None:
    assert find_costly(pattern) is None


PIECES = st.sampled_from([*"abx.|()*+?^$[]{}\\", "(?:", "[^a]", r"\w", r"\s", "{2,}", "(?=", r"\1", "(?!", "*?", "++"])


@given(st.lists(PIECES, max_size=12).map("".join))
def test_any_pattern_has_an_answer(pattern: str) -> None:
    costly = find_costly(pattern)
    assert costly is None or len(costly.character) == 1

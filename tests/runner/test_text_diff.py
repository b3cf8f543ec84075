"""Short diffs, and what a line became."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.runner.text_diff import became, short_diff, whole_diff

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  a"]), max_size=12)


def applied(old: list[str], diff: list[str]) -> list[str]:
    """The lines that a unified diff makes of others."""
    new, at = [], 0
    for line in diff:
        if line.startswith("@@"):
            place, _, count = line.split()[1][1:].partition(",")
            start = int(place) - (count != "0")
            new += old[at:start]
            at = start
        elif line.startswith("+"):
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            at += 1
            if line.startswith(" "):
                new.append(line[1:])
    return new + old[at:]


@given(LINES, LINES)
def test_a_diff_makes_the_new_text_of_the_old(old: list[str], new: list[str]) -> None:
    assert applied(old, whole_diff(old, new)) == new


def test_long_stretches_are_replaced_whole_and_soon() -> None:
    old, new = [f"old {i}" for i in range(20_000)], [f"new {i}" for i in range(20_000)]
    assert applied(old, whole_diff(old, new)) == new


def test_it_is_cut() -> None:
    old, new = "".join(f"{i}\n" for i in range(30)), "".join(f"{i}!\n" for i in range(30))
    found = short_diff(old, new)
    assert len(found) == 13
    assert found[-1] == "… 49 more lines"


def test_equal_texts_and_line_ends() -> None:
    assert short_diff("a\n", "a\n") == []
    assert short_diff("a\r\nb\r\n", "a\nb\n") == ["only line ends differ"]


def test_what_lines_became() -> None:
    assert became("1\n2\n3\n", "1\ntwo\n3\n", 1, 1) == ["two"]
    assert became("1\n2\n3\n", "1\n3\n", 1, 1) is None
    assert became("1\n2\n3\n", "0\n1\n2\n3\n", 1, 1) == ["2"]
    assert became("1\nassert f(1) == 2\n3\n", "1\nx = f\nassert f(1) == 3\ny\n3\n", 1, 1) == ["assert f(1) == 3"]
    assert became("a\nb\nc\nd\n", "a\nB\nC\nd\n", 1, 2) == ["B", "C"]


@given(LINES, LINES, st.data())
def test_lines_of_the_new_text_or_nothing(old: list[str], new: list[str], data: st.DataObject) -> None:
    if not old:
        return
    first = data.draw(st.integers(0, len(old) - 1))
    last = data.draw(st.integers(first, len(old) - 1))
    found = became("\n".join(old), "\n".join(new), first, last)
    assert found is None or all(line in "\n".join(new).splitlines() for line in found)


@given(LINES, LINES)
def test_one_hunk_header_counts_lines_as_difflib_does(old: list[str], new: list[str]) -> None:
    ours = [line for line in whole_diff(old, new) if line.startswith("@@")]
    theirs = [line for line in difflib.unified_diff(old, new, n=1, lineterm="") if line.startswith("@@")]
    assert len(ours) <= len(theirs) + 1

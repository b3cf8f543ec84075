"""While an author types, what is not touched keeps its symbols and its diagnostics, and completion works everywhere.

For every prefix, and for every character that is inserted (with the bracket or quote that an editor closes by itself)
or deleted. Each example tries all edits at one place; HYPOTHESIS_PROFILE=thorough tries many more places.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentbench_lsp.language.completion import complete_in
from agentbench_lsp.language.symbols import flat, symbols
from agentbench_lsp.syntax.cursor import cursor_at
from tests.language.typing_steps import (
    FILES,
    TEXTS,
    Whole,
    edits,
    local_findings,
    lost_symbols,
    names,
    untouched,
    view,
)

PLACES = st.integers(0, 100_000)
FAULTY = Path("tasks/faulty.task.json")
# An oracle a fault, each found by a rule that looks at that oracle alone.
FAULTY_TEXT = r"""{
  "id": "faulty",
  "name": "Every oracle has a fault",
  "description": "d",
  "prompt": "p",
  "workspace": {
    "calc.py": "def add(a, b):\n    return a - b\n",
    "tests/test_calc.py": "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n"
  },
  "oracles": [
    { "type": "assertion_exists", "path": "tests/test_calc.py", "pattern": "assert add(1" },
    { "type": "file_not_modified" },
    {
      "type": "test_must_pass",
      "command": "python -m pytest -q | tail -5",
      "timeout": "60"
    },
    { "type": "file_not_modifed", "path": "calc.py" },
    { "path": "calc.py" },
    {
      "type": "assertion_exists",
      "path": "./calc.py",
      "pattern": "\bdef\b"
    },
    { "type": "test_must_pass", "command": "make", "timeout": 0, "retries": 3 },
    { "type": "assertion_exists", "path": "calc.py", "pattern": "(\\w+\\s?)*$" },
    { "type": "assertion_exists", "path": "../calc.py", "pattern": "x*" }
  ]
}
"""


@given(st.sampled_from(FILES), PLACES)
def test_symbols_of_what_is_not_touched_stay(file: Path, place: int) -> None:
    whole = Whole(file, TEXTS[file])
    units = whole.units()
    for text, start, end in edits(whole.text, place % (len(whole.text) + 1)):
        assert not lost_symbols(whole, units, text, start, end), text[max(0, start - 40) : start + 40]


@given(st.sampled_from(FILES), PLACES)
def test_a_prefix_has_the_symbols_that_are_finished(file: Path, place: int) -> None:
    text = TEXTS[file]
    at = place % (len(text) + 1)
    finished = [s for s in Whole(file, text).units() if s.end < at and s.kind not in ("workspace", "oracles", "steps")]
    assert not names(finished) - names(list(flat(symbols(view(text[:at], file)))))


@given(PLACES)
@example(FAULTY_TEXT.index('"oracles"') + 3)
@example(FAULTY_TEXT.index("timeout") + 12)
def test_diagnostics_of_what_is_not_touched_stay_and_none_come(place: int) -> None:
    at = place % (len(FAULTY_TEXT) + 1)
    oracles = [s for s in Whole(FAULTY, FAULTY_TEXT).units() if s.kind == "oracle"]
    for text, start, end in edits(FAULTY_TEXT, at):
        ranges = [(s.start, s.end) for s in untouched(oracles, start, end)]
        before = local_findings(FAULTY_TEXT, FAULTY, ranges)
        after = local_findings(text, FAULTY)
        assert not before - after, text[max(0, start - 40) : start + 40]
        if len(ranges) == len(oracles):  # typed outside of all oracles: none of them has got a new one
            shift = len(text) - len(FAULTY_TEXT)
            moved = [(s + shift, e + shift) if s >= end else (s, e) for s, e in ranges]
            assert not local_findings(text, FAULTY, moved) - before, text[max(0, start - 40) : start + 40]


@given(st.sampled_from(FILES), PLACES)
def test_completion_works_at_every_place(file: Path, place: int) -> None:
    whole = TEXTS[file]
    at = place % (len(whole) + 1)
    for text, start, _ in [*edits(whole, at), (whole[:at], at, at)]:
        for offset in {start, min(start + 1, len(text))}:
            known = view(text, file).document.parsed.tokens
            assert cursor_at(text, offset) == cursor_at(text, offset, known)  # what is known only saves time
            for item in complete_in(view(text, file), offset):
                assert 0 <= item.start <= offset <= item.end <= len(text)


NEW_ORACLE = '{ "type": "assertion_exists", "path": "a\\\\b.py", "pattern": "^\\\\s*def f\\\\(x\\\\):$" }'
TASK_FILES = [f for f in FILES if f.parent.name == "tasks" and f.name[0].isdigit()]
CLOSING = {"{": "}", "[": "]", '"': '"'}


def typed(text: str, auto_close: bool) -> list[tuple[str, str]]:
    """`(left of the cursor, right of it)` after each key. With `auto_close`, as editors do: a closer is typed over."""
    steps, left, right = [], "", ""
    for i, key in enumerate(text):
        escaped = left.endswith("\\") and not left.endswith("\\\\")
        if auto_close and right.startswith(key) and key in CLOSING.values() and not escaped:
            right = right[1:]
        elif auto_close and key in CLOSING and not escaped and text[i - 1 : i] != "\\":
            right = CLOSING[key] + right
        left += key
        steps.append((left, right))
    return steps


@pytest.mark.parametrize("auto_close", [True, False], ids=["brackets are closed", "brackets are not closed"])
@pytest.mark.parametrize(
    "file", [f for f in FILES if f.parent.name == "tasks" and f.name[0].isdigit()], ids=lambda f: f.stem
)
def test_an_oracle_is_typed_key_by_key(file: Path, auto_close: bool) -> None:
    """Before, between and behind the oracles that are there: none of them goes, nor any workspace file."""
    whole = Whole(file, TEXTS[file])
    units = [s for s in whole.units() if s.kind in ("oracle", "file")]
    oracles = [s for s in units if s.kind == "oracle"]
    for place, before, after in ((oracles[0].start, "", ",\n    "), (oracles[-1].end, ",\n    ", "")):
        for left, right in typed(NEW_ORACLE, auto_close):
            text = whole.text[:place] + before + left + right + after + whole.text[place:]
            found = names(list(flat(symbols(view(text, file)))))
            assert not names(units) - found, (left, right)
            complete_in(view(text, file), place + len(before) + len(left))

"""Hover, outline, folding, selections, inlay hints, colours, formatting."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import apply_edits
from agentbench_lsp.language.folding import folds, selections
from agentbench_lsp.language.formatting import format_edits
from agentbench_lsp.language.hover import hover
from agentbench_lsp.language.inlay_hints import inlay_hints
from agentbench_lsp.language.regex_words import explain
from agentbench_lsp.language.semantic_tokens import semantic_tokens
from agentbench_lsp.language.symbols import symbols
from agentbench_lsp.language.view import DocumentView
from tests.language.test_navigation import STEPS, TASK, at
from tests.language.typing_steps import FILES, TEXTS, edits, view

RICH = TASK.replace('"pattern": "x"', '"pattern": "x|y\\\\d+"').replace('"x", "tests', '"x = 1\\nx = 2\\n", "tests')


def shown(before: str, after: str, text: str = RICH) -> str:
    offset = text.index(before + after) + len(before)
    view, _ = at(text[:offset].replace("|", "§") + "|" + text[offset:].replace("|", "§"))
    fixed = view.document.text.replace("§", "|")
    found = hover(type(view)(Document(fixed, view.document.path), view.specs, view.around), offset)
    return found.markdown if found else ""


def test_hover_on_oracle_types_and_params() -> None:
    assert "byte for byte" in shown('"type": "file_not', "_modified")
    assert "Seconds before" in shown('"ty', 'pe": "test_must_pass"') or "A shell command must exit 0" in shown(
        '"ty', 'pe": "test_must_pass"'
    )
    assert "Shell command" in shown('"comm', "and")


def test_hover_on_a_path_and_a_workspace_key() -> None:
    for place in (('"path": "src/', "a.py"), ('{ "src/', "a.py")):
        text = shown(*place)
        assert "**src/a.py** · 2 lines · 12 bytes" in text
        assert "`assertion_exists` (oracle 3)" in text
        assert "```python\nx = 1\nx = 2\n```" in text
    assert "No oracle names it." not in shown('"tests/te', 'st_a.py": "y"')


def test_hover_on_a_pattern_explains_it_and_shows_its_matches() -> None:
    text = shown('"pattern": "x', "|y")
    assert "either `x` or `y` then a digit, once or more" in text
    assert "**2 matches** in `src/a.py`" in text
    assert "1: x = 1\n2: x = 2" in text


def test_hover_on_a_field() -> None:
    assert shown('"oracl', 'es"').startswith("The checks")


def test_hover_on_a_code_says_what_the_rule_looks_for() -> None:
    text = TASK.replace('"id": "t"', '"id": "t", "ignore_rules": ["unprotected-test", "gone"]')
    assert "runs a test of the workspace that no oracle protects" in shown("unprotected", "-test", text)
    assert shown("gon", "e", text) == ""


def test_hover_on_a_step_shows_its_diff() -> None:
    view, offset = at(STEPS, "x.trajectory.json", **{"t.json": TASK})
    found = hover(view, offset)
    assert found is not None
    assert "**Step 0** changes `src/a.py` of t.json" in found.markdown
    assert "-x\n+z" in found.markdown
    alone, offset = at(STEPS, "x.trajectory.json")
    found = hover(alone, offset)
    assert found is not None
    assert "writes `src/a.py` (1 line)" in found.markdown


def test_a_file_that_holds_a_fence_cannot_end_the_block() -> None:
    text = TASK.replace('"x", "tests', '"```\\n# not ours", "tests')
    assert "````" in shown('{ "src/', "a.py", text)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("assert add", ["the text `assert add`"]),
        (r"^\s*def f\(", ["the start of a line", "a blank, any number of times", "the text `def f(`"]),
        (r"[^a-c]{2,}?", ["any character but a-c, 2 times or more, as few as possible"]),
        (r"(?!x)\bz", ["a place where ahead there is not `x`", "the edge of a word", "`z`"]),
        ("(", []),
    ],
)
def test_a_regex_in_words(pattern: str, words: list[str]) -> None:
    assert list(explain(pattern)) == words


def outline(view: DocumentView) -> list[str]:
    lines = []
    for symbol in symbols(view):
        lines.append(f"{symbol.kind} {symbol.name}")
        lines += [f"  {child.kind} {child.name} ({child.detail})" for child in symbol.children]
    return lines


def test_the_outline() -> None:
    assert outline(at("|" + TASK)[0]) == [
        "field id",
        "workspace workspace",
        "  file src/a.py (1 line)",
        "  file tests/test_a.py (1 line)",
        "oracles oracles",
        "  oracle file_not_modified (./tests/test_a.py)",
        "  oracle test_must_pass (python -m pytest 'tests/test_a.py'::test_x -q)",
        "  oracle assertion_exists (src/a.py)",
    ]
    assert outline(at(STEPS, "x.trajectory.json")[0])[2:] == [
        "  edit 0: write_file (src/a.py)",
        "  step 1: read_file (./src/a.py)",
    ]


def test_inlay_hints_show_the_default_timeout_and_the_matches() -> None:
    view, _ = at("|" + TASK)
    text = view.document.text
    hints = [(text[: h.offset].rpartition("\n")[2].strip()[-12:], h.label) for h in inlay_hints(view, 0, len(text))]
    assert hints == [('::test_x -q"', "timeout: 60 s"), ('attern": "x"', "1 match")]
    assert list(inlay_hints(view, 0, 10)) == []


def test_colours_inside_of_patterns_and_commands() -> None:
    text = r"""{ "oracles": [
    { "type": "assertion_exists", "path": "a", "pattern": "^\\s+(a|é\u00e9\\.)[x-z]$" },
    { "type": "test_must_pass", "command": "X=1 python -m pytest \"a b\" 2>&1 | tail -5 && echo $HOME # end" }
] }"""
    view, _ = at("|" + text)
    found = [(kind, view.document.text[start:end]) for start, end, kind in semantic_tokens(view)]
    assert ("keyword", "\\\\s") in found
    assert ("regexp", "[x-z]") in found
    assert ("string", "\\\\.") in found
    assert [t for t in found if t[0] == "function"] == [
        ("function", "python"),
        ("function", "tail"),
        ("function", "echo"),
    ]
    assert {("variable", "X"), ("variable", "$HOME"), ("parameter", "-q"), ("parameter", "-m")} & set(found)
    assert ("comment", "# end") in found
    assert ("string", '\\"a b\\"') in found


def test_folding_and_selections() -> None:
    document = Document(TASK, "tasks/t.json")
    assert list(folds(document)) == [(0, 7), (3, 6)]
    grown = [TASK[a:b] for a, b in selections(document, TASK.index("src/a.py"))]
    assert grown[:3] == ["src/a.py", '"src/a.py"', '"src/a.py": "x"']
    assert grown[-1] == TASK


@given(st.sampled_from(FILES), st.integers(0, 100_000))
def test_nothing_crashes_on_half_written_documents(file, place) -> None:
    whole = TEXTS[file]
    at_ = place % (len(whole) + 1)
    for text, start, _ in edits(whole, at_):
        found = view(text, file)
        hover(found, start)
        grown = selections(found.document, start)
        assert all(a[0] >= b[0] and a[1] <= b[1] for a, b in pairwise(grown))
        list(folds(found.document))
        list(inlay_hints(found, 0, len(text)))
        tokens = semantic_tokens(found)
        assert all(a[1] <= b[0] for a, b in pairwise(tokens))


def formatted(text: str, indent: str = "  ") -> str:
    return apply_edits(text, format_edits(Document(text, "tasks/t.json"), indent))


def test_formatting() -> None:
    text = '{"id":"t",\n"tags":["a","b"],"workspace":{"a.txt":"x\\u00e9"},'
    text += '"oracles":[{"type":"no_network"},\n{"type":\n"x"}]}'
    assert formatted(text) == (
        '{\n  "id": "t",\n  "tags": ["a", "b"],\n  "workspace": {\n    "a.txt": "x\\u00e9"\n  },\n'
        '  "oracles": [\n    { "type": "no_network" },\n    {\n      "type": "x"\n    }\n  ]\n}\n'
    )
    assert formatted('{"a": [}') == '{"a": [}'  # not while something is missing


LEAVES = st.none() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    LEAVES, lambda c: st.lists(c, max_size=4) | st.dictionaries(st.text(max_size=4), c, max_size=4), max_leaves=30
)


@given(VALUES, st.sampled_from([None, 1, 4]), st.sampled_from(["  ", "\t"]))
def test_formatting_changes_blanks_only_and_once(value, width, indent) -> None:
    text = json.dumps({"x": value}, indent=width)
    once = formatted(text, indent)
    assert json.loads(once) == json.loads(text)
    assert formatted(once, indent) == once


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_our_own_tasks_are_formatted(file) -> None:
    once = formatted(TEXTS[file])
    assert json.loads(once) == json.loads(TEXTS[file])
    assert formatted(once) == once

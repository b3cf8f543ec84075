"""The tolerant parser: always a tree, exact ranges, valid JSON as `json` reads it, the rest kept alive."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentbench_lsp.syntax.json_parser import ParsedText, parse
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode, StringNode, to_value, walk
from tests.conftest import TASKS

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)
JSON_LIKE = st.text(st.sampled_from('{}[]:,"\\/ \n\r\tabu01tfn.-*é😀\u2028\x00'), max_size=80)
BASE = (TASKS / "01_pagination_off_by_one.json").read_text(encoding="utf-8")


def nodes(parsed: ParsedText) -> list[Node]:
    return list(walk(parsed.root))


def check_ranges(parsed: ParsedText) -> None:
    """Every node lies in the text and in its parent, children in order and apart from each other."""
    size = len(parsed.text)
    for node in nodes(parsed):
        assert 0 <= node.start <= node.end <= size
        if isinstance(node, ObjectNode | ArrayNode):
            children: Any = node.properties if isinstance(node, ObjectNode) else node.items
            at = node.start
            for child in children:
                assert at <= child.start <= child.end <= node.end
                at = child.end
        if isinstance(node, StringNode):
            assert node.value == node.value  # decoding never raises
    for fault in parsed.faults:
        assert 0 <= fault.start <= fault.end <= size
        assert fault.message


@given(VALUES, st.sampled_from([None, 1, 4]), st.booleans())
def test_valid_json_is_read_as_json_reads_it(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    parsed = parse(text)
    assert parsed.faults == []
    assert to_value(parsed.root) == json.loads(text)
    check_ranges(parsed)


@given(JSON_LIKE)
@example('"\\')
@example('{"a":{"b":[1,{"c"')
@example("/*")
def test_any_text_has_a_tree_and_an_error_exactly_if_it_is_no_json(text: str) -> None:
    parsed = parse(text)
    check_ranges(parsed)
    try:
        json.loads(text, parse_constant=lambda name: 1 / 0)
        valid = True
    except (ValueError, ZeroDivisionError):
        valid = False
    assert (not parsed.faults) == valid


@given(st.integers(0, len(BASE)), st.sampled_from('{}[]:,"\\x \n'))
def test_any_damage_to_a_task_still_has_a_tree(at: int, character: str) -> None:
    for text in (BASE[:at], BASE[:at] + character + BASE[at:], BASE[:at] + BASE[at + 1 :]):
        check_ranges(parse(text))


def test_deep_nesting_and_long_texts_are_no_problem() -> None:
    for text in ("[" * 100_000, '{"a":' * 50_000, "[" * 5000 + "]" * 5000):
        assert parse(text).root is not None


@pytest.mark.parametrize("file", sorted(TASKS.glob("[0-9]*.json")), ids=lambda p: p.stem)
def test_a_missing_character_costs_only_what_it_belongs_to(file: Any) -> None:
    """For each character of a task that is left out: the other fields are still there, and nearly all oracles."""
    text = file.read_text(encoding="utf-8")
    whole = json.loads(text)
    for at in range(len(text)):
        parsed = parse(text[:at] + text[at + 1 :])
        if not parsed.faults:
            continue
        value = to_value(parsed.root)
        assert isinstance(value, dict), at
        lost = [name for name in whole if name not in value]
        assert len(lost) <= 1, (at, text[at - 20 : at + 20], lost)
        kept = value.get("oracles", [])
        assert isinstance(kept, list), at
        same = sum(oracle in kept for oracle in whole["oracles"])
        assert same >= len(whole["oracles"]) - 1, (at, text[at - 20 : at + 20])
        files = value.get("workspace", {})
        assert sum(path in files for path in whole["workspace"]) >= len(whole["workspace"]) - 1, at


WHOLE = {file: file.read_text(encoding="utf-8") for file in sorted(TASKS.glob("[0-9]*.json"))}


@given(st.sampled_from(sorted(WHOLE)), st.integers(0, 20_000), st.sampled_from("{}],:"))
def test_a_superfluous_character_costs_only_what_it_belongs_to(file: Any, at: int, typed: str) -> None:
    text = WHOLE[file]
    at = min(at, len(text))
    if text[at - 1 : at + 1].isdigit():
        at += 1  # in the middle of a number it makes two of it
    parsed = parse(text[:at] + typed + text[at:])
    whole, value = json.loads(text), to_value(parsed.root)
    if parsed.faults:
        assert isinstance(value, dict)
        lost = [name for name in whole if name not in value]
        assert len(lost) <= 1
        kept = value.get("oracles", [])
        assert lost == ["oracles"] or sum(o in kept for o in whole["oracles"]) >= len(whole["oracles"]) - 1
        files = value.get("workspace", {})
        assert lost == ["workspace"] or sum(f in files for f in whole["workspace"]) >= len(whole["workspace"]) - 1


@pytest.mark.parametrize(
    ("text", "value", "message"),
    [
        ('{\n  "a": "x\ny", "b": 1\n}', {"a": "x\ny", "b": 1}, "the end of a line in a text"),
        ('{\n  "a": {} {\n    "b": 1\n  }\n}', {"a": {"b": 1}}, "a value stands before the value"),
        ('{\n  "a": 1,\n  {} "b": 2\n}', {"a": 1, "b": 2}, "these brackets hold nothing"),
        ('{ "a"{}: 1 }', {"a": 1}, "these brackets hold nothing"),
        ('{ "a"1: 2 }', {"a": 2}, "a colon is missing"),
        ('{ "a": [{ "b": 1 } x, { "b": 2 }] }', {"a": [{"b": 1}, {"b": 2}]}, "no JSON value"),
        ('{ "a": [x { "b": 1 }] }', {"a": [{"b": 1}]}, "no JSON value"),
        ('{ "a":[ "b", "c": 1 }', {"a": ["b"], "c": 1}, "a ] is missing"),
        ('{ "a":[ "b" }, "c": 1 }', {"a": ["b"], "c": 1}, "a ] is missing"),
        ('{\n  "a": "b",\n  "c"\n  ],\n  "d": 1\n}', {"a": ["b", "c"], "d": 1}, "a [ is missing before this list"),
        ('["a":, "b"]', ["a", "b"], "no colon may stand here"),
        ('{ "a": 1[0, "b": 2 }', {"a": "1[0", "b": 2}, "no JSON value"),
        ('{ "a": tr}ue, "b": 2 }', {"a": "tr}ue", "b": 2}, "no JSON value"),
        ('{}{ "a": 1 }', {"a": 1}, "this stands before the document"),
        ('{\n  "a": "b ("c), d",\n  "e": 1\n}', {"a": 'b ("c), d', "e": 1}, 'a " in a text is written'),
        ('{\n  "a": (b), c",\n  "d": 1\n}', {"a": "(b), c", "d": 1}, 'the opening " is missing'),
    ],
)
def test_what_was_most_likely_meant(text: str, value: Any, message: str) -> None:
    parsed = parse(text)
    assert to_value(parsed.root) == value
    assert any(message in fault.message for fault in parsed.faults)
    check_ranges(parsed)

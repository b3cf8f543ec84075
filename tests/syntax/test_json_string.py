"""Between the quotes: decoding, encoding, positions through escapes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.syntax.json_string import decode, encode, faults, raw_offset

ESCAPED = st.text(st.sampled_from('\\"/bfnrtu0d83e')).map(lambda s: s)


@given(st.text())
def test_encode_and_decode_are_inverse(text: str) -> None:
    assert decode(encode(text)) == text
    assert decode(json.dumps(text)[1:-1]) == text


@given(st.text(min_size=1), st.booleans())
def test_every_character_of_the_value_is_found_in_the_source(text: str, ascii_only: bool) -> None:
    raw = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
    bounds = [raw_offset(raw, i) for i in range(len(text) + 1)]
    assert bounds[0] == 0
    assert bounds[-1] == len(raw)
    for i, character in enumerate(text):
        assert decode(raw[bounds[i] : bounds[i + 1]]) == character


@given(ESCAPED)
def test_faults_are_found_exactly_if_json_refuses_the_text(raw: str) -> None:
    raw = raw.replace('"', "")
    if raw.endswith("\\") and (len(raw) - len(raw.rstrip("\\"))) % 2:
        raw += "n"
    try:
        json.loads(f'"{raw}"')
        valid = True
    except ValueError:
        valid = False
    assert (list(faults(raw)) == []) == valid
    assert isinstance(decode(raw), str)


@pytest.mark.parametrize(
    ("raw", "value"),
    [(r"\d+", "d+"), (r"\u12", "u12"), ("a\\", "a\\"), (r"😀", "😀"), (r"\ud83dx", "\ud83dx"), (r"\\d", r"\d")],
)
def test_a_bad_escape_stands_for_its_own_character(raw: str, value: str) -> None:
    assert decode(raw) == value

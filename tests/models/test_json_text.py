"""Strict reading: what plain `json.loads` hides or crashes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentbench_lsp.models.json_text import JsonLimitError, parse_json, read_json


def test_duplicate_keys_are_seen_at_every_depth() -> None:
    document = parse_json('{"a": 1, "a": {"b": [{"c": 1, "c": 2}]}, "d": 1}')
    assert document.duplicates == [("a",), ("a", "b", 0, "c")]
    assert document.value["a"] == {"b": [{"c": 2}]}


def test_a_bom_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_json(file).value == {"a": 1}


@pytest.mark.parametrize("text", ["[" * 100_000, "NaN", "[Infinity]", "1" * 5000])
def test_what_no_value_can_be_made_of(text: str) -> None:
    with pytest.raises(JsonLimitError):
        parse_json(text)

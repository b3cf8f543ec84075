"""The document store: the same text as the client, whatever is edited and in whatever units."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from agentbench_lsp.server.documents import OpenDocument, file_path, split_lines, uri_path
from agentbench_lsp.server.positions import offset_at, position_at, to_code_points, to_units
from agentbench_lsp.syntax.line_index import LineIndex

TEXT = st.text(st.sampled_from("aé漢😀\r\n\u2028\x85\t"), max_size=25)
ENCODINGS = st.sampled_from([types.PositionEncodingKind.Utf8, "utf-16", types.PositionEncodingKind.Utf32])


@given(TEXT)
def test_lines_make_up_the_text(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert len(lines) == len(LineIndex(text).starts)


@given(TEXT, st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25), TEXT), max_size=6), ENCODINGS)
def test_edits_give_the_text_that_the_client_has(
    text: str, edits: list[tuple[int, int, str]], encoding: types.PositionEncodingKind
) -> None:
    document = OpenDocument("file:///x.json", text, 1)
    for a, b, new in edits:
        lines = LineIndex(text)
        # Any place but between CR and LF, where no client can be.
        places = [o for o in range(len(text) + 1) if text[o - 1 : o + 1] != "\r\n"]
        start, end = sorted((places[a % len(places)], places[b % len(places)]))
        where = types.Range(position_at(lines, start, encoding), position_at(lines, end, encoding))
        document.apply(types.TextDocumentContentChangePartial(where, new), encoding)
        text = text[:start] + new + text[end:]
        assert document.snapshot.text == text
        assert document._lines == split_lines(text)


@given(st.text(st.sampled_from("aé漢😀")), ENCODINGS)
def test_units_and_code_points_are_inverse(line: str, encoding: types.PositionEncodingKind) -> None:
    for column in range(len(line) + 1):
        assert to_code_points(line, to_units(line, column, encoding), encoding) == column


@given(st.text(st.sampled_from("aé漢😀")), st.integers(0, 60), ENCODINGS)
def test_a_column_in_the_middle_of_a_character_is_its_start(
    line: str, units: int, encoding: types.PositionEncodingKind
) -> None:
    column = to_code_points(line, units, encoding)
    assert to_units(line, column, encoding) <= units
    if column < len(line):
        assert to_units(line, column + 1, encoding) > units


def test_positions_behind_a_line_or_the_text_are_their_ends() -> None:
    lines = LineIndex("ab\ncd")
    assert offset_at(lines, types.Position(0, 99), "utf-16") == 2
    assert offset_at(lines, types.Position(7, 1), "utf-16") == 5


def test_uris() -> None:
    assert uri_path("file:///a%20b/tasks/x.json") == "/a b/tasks/x.json"
    assert str(file_path("file:///a%20b/x.json")) == "/a b/x.json"
    assert file_path("untitled:Untitled-1") is None
    assert file_path("file://elsewhere/share/x.json") is None

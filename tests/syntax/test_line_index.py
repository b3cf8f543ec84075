"""Lines end with LF, CRLF and CR and with nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.syntax.line_index import LineIndex

TEXTS = st.text(st.sampled_from("ab\r\n\u2028\x85\x0c\v😀"))


def test_only_lsp_line_ends_count() -> None:
    assert LineIndex("a\nb\r\nc\rd\u2028e\x85f\x0cg").starts == [0, 2, 5, 7]


@given(TEXTS)
def test_positions_and_offsets_are_inverse(text: str) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        line, column = index.position(offset)
        assert index.starts[line] + column == offset
        if offset <= index.line_end(line):
            assert index.offset(line, column) == offset


@given(TEXTS)
def test_lines_and_their_ends_make_up_the_text(text: str) -> None:
    index = LineIndex(text)
    bounds = [*index.starts, len(text)]
    for number in range(len(index.starts)):
        line = index.line(number)
        assert "\n" not in line
        assert "\r" not in line
        assert text[bounds[number] : bounds[number + 1]].rstrip("\r\n") == line


def test_what_is_behind_the_text_is_its_end() -> None:
    index = LineIndex("ab\ncd")
    assert index.offset(0, 99) == 2
    assert index.offset(9, 0) == 5
    assert index.position(99) == (1, 2)

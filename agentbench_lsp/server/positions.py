"""Columns of a line in code points and in the client's units (utf-8, utf-16, utf-32), at the speed of the codecs."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.syntax.line_index import LineIndex

Encoding = types.PositionEncodingKind | str


def to_code_points(line: str, units: int, encoding: Encoding) -> int:
    """Code points before `units`; a column in the middle of a character is its start, one behind the line its end."""
    if encoding == types.PositionEncodingKind.Utf32 or line.isascii():
        return min(units, len(line))
    if encoding == types.PositionEncodingKind.Utf8:
        data = line.encode("utf-8", "surrogatepass")[:units]
        while data and (data[-1] & 0xC0) == 0x80 and not _complete(data):
            data = data[:-1]
        return len(data.decode("utf-8", "ignore"))
    data = line.encode("utf-16-le", "surrogatepass")[: units * 2]
    text = data.decode("utf-16-le", "surrogatepass") if _whole(data) else data[:-2].decode("utf-16-le", "surrogatepass")
    return len(text)


def _complete(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _whole(data: bytes) -> bool:
    """True unless the data ends in the first half of a pair."""
    return len(data) < 2 or not 0xD8 <= data[-1] <= 0xDB


def to_units(line: str, code_points: int, encoding: Encoding) -> int:
    """Units that the first `code_points` of a line take."""
    text = line[:code_points]
    if encoding == types.PositionEncodingKind.Utf32 or text.isascii():
        return len(text)
    if encoding == types.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def position_at(lines: LineIndex, offset: int, encoding: Encoding) -> types.Position:
    """LSP position of an offset."""
    place = lines.position(offset)
    return types.Position(place.line, to_units(lines.line(place.line), place.column, encoding))


def offset_at(lines: LineIndex, position: types.Position, encoding: Encoding) -> int:
    """Offset of an LSP position."""
    if position.line >= len(lines.starts):
        return len(lines.text)
    line = lines.line(position.line)
    return lines.starts[position.line] + to_code_points(line, position.character, encoding)


def range_of(lines: LineIndex, start: int, end: int, encoding: Encoding) -> types.Range:
    """LSP range of two offsets."""
    return types.Range(position_at(lines, start, encoding), position_at(lines, end, encoding))

"""The text between the quotes of a JSON string: decoding, encoding, and mapping positions through escapes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = r"[0-9a-fA-F]{4}"
_PIECE = re.compile(
    rf"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{{2}})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{{2}})"
    rf"|\\u(?P<unit>{_HEX})|\\(?P<char>.)|\\$",
    re.DOTALL,
)
_CHECKED = re.compile(r"\\(?:u[0-9a-fA-F]{0,4}|.|$)|[\x00-\x1f\"]", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_GOOD = re.compile(rf"\\(?:[\"\\/bfnrt]|u{_HEX})")


class StringFault(NamedTuple):
    """A fault in a string: `start` and `end` are offsets in the text between the quotes; `repair` goes there."""

    start: int
    end: int
    message: str
    repair: str | None = None


def decode(raw: str) -> str:
    """The value. A bad escape stands for its own character, as the author most likely meant it."""
    if "\\" not in raw:
        return raw
    try:
        decoded: str = json.loads(f'"{raw}"')
    except ValueError:
        return _PIECE.sub(_piece_text, raw)
    return decoded


def _piece_text(match: re.Match[str]) -> str:
    if match["high"]:
        return chr(0x10000 + ((int(match["high"], 16) - 0xD800) << 10) + int(match["low"], 16) - 0xDC00)
    if match["unit"]:
        return chr(int(match["unit"], 16))
    return _SIMPLE.get(match["char"], match["char"]) if match["char"] else "\\"


def dump(value: Any, ascii_only: bool = False) -> str:
    """A value as JSON on one line. Half a surrogate pair, which no file can hold, is escaped in any case."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    return text if ascii_only else _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def encode(text: str, ascii_only: bool = False) -> str:
    """`text` as it stands between quotes."""
    return dump(text, ascii_only)[1:-1]


def raw_offset(raw: str, index: int) -> int:
    """Offset in `raw` of the value's character at `index`; the end for an index behind the value."""
    position = shift = 0  # `position` counts characters of the value up to the last escape seen
    for match in _PIECE.finditer(raw):
        position = match.start() - shift
        if index <= position:
            break
        shift += match.end() - match.start() - 1
    return min(index + shift, len(raw))


def offset_map(raw: str) -> list[int]:
    """Offset in `raw` of each character of the value, and of its end."""
    offsets: list[int] = []
    at = 0
    for match in _PIECE.finditer(raw):
        offsets += range(at, match.start() + 1)
        at = match.end()
    return [*offsets, *range(at, len(raw) + 1)]


def faults(raw: str) -> Iterator[StringFault]:
    """Bad escapes and raw control characters."""
    for match in _CHECKED.finditer(raw):
        if not _GOOD.fullmatch(match[0]):
            yield StringFault(match.start(), match.end(), _explain(match[0]), _repair(match[0]))


def _repair(text: str) -> str | None:
    if text == '"':
        return '\\"'
    if not text.startswith("\\"):
        return encode(text)
    return None if text.startswith("\\u") or text == "\\" else "\\" + text


def _explain(text: str) -> str:
    if text == '"':
        return 'a " in a text is written \\"'
    if not text.startswith("\\"):
        return f"a control character has to be escaped in JSON: \\u{ord(text):04x}"
    if text.startswith("\\u"):
        return f"{text} is an incomplete escape: \\u takes four hexadecimal digits"
    if text == "\\":
        return "the string ends in the middle of an escape"
    return f"{text} is no JSON escape; a backslash in the value is written \\\\, so: \\{text}"

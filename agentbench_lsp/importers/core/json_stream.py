"""Reading a JSON document piece by piece: its members and the items of its lists, without having all of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
_MOST = 256 * 1024 * 1024  # characters of one value; a value without an end must not take all memory
_BLANK = " \t\r\n\ufeff"


class BrokenJsonError(ValueError):
    """The document is no JSON from `line` on."""

    def __init__(self, line: int, ended: bool) -> None:
        super().__init__(f"ends in the middle of line {line}" if ended else f"is no JSON at line {line}")
        self.line = line


class Member(NamedTuple):
    """A value of the document and the line it begins on, from 1.

    `key` is empty in a list; `item` is None for what is no item of a list.
    """

    key: str
    item: int | None
    value: Any
    line: int


def decode(text: str) -> Any:
    """The value of a JSON text, as agents write it: control characters and `NaN` (None) too. Raises ValueError."""
    try:
        return json.loads(text, strict=False, parse_constant=lambda _: None)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def members(chunks: Iterable[str]) -> Iterator[Member]:
    """Members of an object, items of a list or of an object's lists, in order. Raises BrokenJsonError at the fault."""
    stream = _Stream(iter(chunks))
    opener = stream.next_char()
    if opener == "[":
        yield from stream.items("")
    elif opener == "{":
        yield from stream.object()
    elif opener:
        yield Member("", None, stream.value(), 1)


class _Stream:
    def __init__(self, chunks: Iterator[str]) -> None:
        self._chunks, self._buffer, self._at, self._line = chunks, "", 0, 1
        self._ended = False

    def next_char(self) -> str:
        """The next character that is no blank, not taken; empty at the end."""
        while True:
            while self._at < len(self._buffer):
                if self._buffer[self._at] not in _BLANK:
                    return self._buffer[self._at]
                self._line += self._buffer[self._at] == "\n"
                self._at += 1
            if not self._fill(1):
                return ""

    def take(self, wanted: str) -> str:
        """The next character, which is one of `wanted`."""
        char = self.next_char()
        if not char or char not in wanted:
            raise BrokenJsonError(self._line, not char)
        self._at += 1
        return char

    def value(self) -> Any:
        self.next_char()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._at)
            except (ValueError, RecursionError) as exc:
                left = len(self._buffer) - self._at
                if not isinstance(exc, RecursionError) and left < _MOST and self._fill(max(left, 1)):
                    continue  # cut off, perhaps
                raise BrokenJsonError(self._line, self._ended) from None
            if end == len(self._buffer) and self._fill(1):
                continue  # a number may go on
            self._line += self._buffer.count("\n", self._at, end)
            self._at = end
            return value

    def items(self, key: str) -> Iterator[Member]:
        self.take("[")
        number = 0
        if self.next_char() == "]" and key:
            yield Member(key, None, [], self._line)
        while self.next_char() != "]":
            if number:
                self.take(",")
                self.next_char()
            line = self._line
            yield Member(key, number, self.value(), line)
            number += 1
        self.take("]")

    def object(self) -> Iterator[Member]:
        self.take("{")
        first = True
        while self.next_char() != "}":
            if not first:
                self.take(",")
            first = False
            if self.next_char() != '"':
                raise BrokenJsonError(self._line, False)
            key = self.value()
            self.take(":")
            if self.next_char() == "[":
                yield from self.items(key)
            else:
                line = self._line
                yield Member(key, None, self.value(), line)
        self.take("}")

    def _fill(self, least: int) -> bool:
        """Read at least so many characters more; False at the end."""
        parts, size = [self._buffer[self._at :]], 0
        while size < least and not self._ended:
            chunk = next(self._chunks, "")
            self._ended = not chunk
            parts.append(chunk)
            size += len(chunk)
        self._buffer, self._at = "".join(parts), 0
        return size > 0

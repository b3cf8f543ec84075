"""A regex explained in words, piece by piece."""

from __future__ import annotations

import importlib
import re
from functools import lru_cache
from typing import Any

_sre: Any = importlib.import_module("re._parser")
_c: Any = importlib.import_module("re._constants")
_MOST = 25
_CLASS_WORDS = {
    "CATEGORY_DIGIT": "a digit",
    "CATEGORY_NOT_DIGIT": "anything but a digit",
    "CATEGORY_SPACE": "a blank",
    "CATEGORY_NOT_SPACE": "anything but a blank",
    "CATEGORY_WORD": "a letter, digit or _",
    "CATEGORY_NOT_WORD": "anything but a letter, digit or _",
}
_PLACES = {
    "AT_BEGINNING": "the start of a line",
    "AT_BEGINNING_STRING": "the start of the file",
    "AT_BOUNDARY": "the edge of a word",
    "AT_NON_BOUNDARY": "a place that is no edge of a word",
    "AT_END": "the end of a line",
    "AT_END_STRING": "the end of the file",
}
_NAMES = {"\n": "a line feed", "\r": "a carriage return", "\t": "a tab", "\b": "a backspace", "\f": "a form feed"}


@lru_cache(maxsize=512)
def explain(pattern: str) -> tuple[str, ...]:
    """One phrase for each piece, in order; empty for a pattern that does not compile."""
    try:
        parsed = _sre.parse(pattern, re.MULTILINE)
    except (re.error, OverflowError, RecursionError):
        return ()
    lines = _sequence(list(parsed))
    return tuple(lines[:_MOST]) + (("…",) if len(lines) > _MOST else ())


def _sequence(items: list[Any]) -> list[str]:
    lines: list[str] = []
    literal = ""
    for op, argument in items:
        if op is _c.LITERAL and chr(argument) not in _NAMES:
            literal += chr(argument)
            continue
        if literal:
            lines.append(_quoted(literal))
            literal = ""
        lines.append(_piece(op, argument))
    return [*lines, _quoted(literal)] if literal else lines


def _quoted(text: str) -> str:
    tick = "``" if "`" in text else "`"
    return f"the text {tick}{text}{tick}" if len(text) > 1 else f"{tick}{text}{tick}"


def _one_line(body: Any) -> str:
    return " then ".join(_sequence(list(body))) or "nothing"


def _piece(op: Any, argument: Any) -> str:
    if op is _c.LITERAL:
        return _NAMES[chr(argument)]
    if op is _c.NOT_LITERAL:
        return f"any character but {_character(argument)}"
    if op is _c.ANY:
        return "any character (no line end)"
    if op is _c.IN:
        return _set(argument)
    if op is _c.AT:
        return _PLACES.get(str(argument), "a certain place")
    if op is _c.BRANCH:
        return "either " + " or ".join(_one_line(branch) for branch in argument[1])
    if op is _c.SUBPATTERN:
        return f"({_one_line(argument[-1])})"
    if op is _c.GROUPREF:
        return f"group {argument} again"
    if op in (_c.ASSERT, _c.ASSERT_NOT):
        direction = "ahead" if argument[0] > 0 else "before"
        verb = "is" if op is _c.ASSERT else "is not"
        return f"a place where {direction} there {verb} {_one_line(argument[1])}"
    if isinstance(argument, tuple) and len(argument) == 3:
        low, high, body = argument
        return f"{_one_line(body)}, {_times(low, high)}{', as few as possible' if op is _c.MIN_REPEAT else ''}"
    return str(op).lower().replace("_", " ")


def _times(low: int, high: Any) -> str:
    if high is _c.MAXREPEAT:
        return {0: "any number of times", 1: "once or more"}.get(low, f"{low} times or more")
    if low == high:
        return f"{low} times"
    return "or nothing" if (low, high) == (0, 1) else f"{low} to {high} times"


def _character(code: int) -> str:
    return _NAMES.get(chr(code), _quoted(chr(code)))


def _set(argument: Any) -> str:
    words = []
    negated = False
    for kind, value in argument:
        if kind is _c.NEGATE:
            negated = True
        elif kind is _c.LITERAL:
            words.append(_character(value))
        elif kind is _c.RANGE:
            words.append(f"{chr(value[0])}-{chr(value[1])}")
        elif kind is _c.CATEGORY:
            words.append(_CLASS_WORDS.get(str(value), "a character of a class"))
    listed = ", ".join(words)
    if negated:
        return f"any character but {listed}"
    return listed if len(words) == 1 else f"one of {listed}"

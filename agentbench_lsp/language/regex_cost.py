"""Patterns whose search can take time exponential in the length of the text.

The proof is a string of one repeated character: a repeat whose body can read it in two ways makes the number of ways
double with every few characters, and what follows the repeat refuses it, so that all of them are tried.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

_sre: Any = importlib.import_module("re._parser")
_c: Any = importlib.import_module("re._constants")
_LONGEST = 5  # characters of the string that are counted through
_MANY = 10  # a repeat that may go on this long counts as unbounded
_ALPHABET = "a0 _,.-/\"'=\n"
_REPEATS = (_c.MAX_REPEAT, _c.MIN_REPEAT)
_ONCE = tuple(getattr(_c, name) for name in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP") if hasattr(_c, name))
_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
Ways = list[int]  # number of ways to read the character 0, 1, 2, … times


class Costly(NamedTuple):
    """`character`, repeated, is what the pattern chokes on."""

    character: str


@lru_cache(maxsize=4096)
def find_costly(pattern: str) -> Costly | None:
    """The proof that a pattern can take exponential time; None where there is none."""
    try:
        parsed = _sre.parse(pattern, re.MULTILINE)
    except (re.error, OverflowError, RecursionError):
        return None
    letters = [ch for ch in dict.fromkeys(pattern) if ch.isalnum()][:20]
    for character in dict.fromkeys([*letters, *_ALPHABET]):
        try:
            if any(_blows_up(body, rest, character) for body, rest in _repeats(list(parsed), [])):
                return Costly(character)
        except (RecursionError, _UnknownError):
            return None
    return None


def depends_on_context(pattern: str) -> bool:
    """True for a valid pattern that looks ahead, behind, or back at a group."""
    todo: list[Any] = [_sre.parse(pattern, re.MULTILINE)]
    while todo:
        item = todo.pop()
        if item in (_c.ASSERT, _c.ASSERT_NOT, _c.GROUPREF, _c.GROUPREF_EXISTS):
            return True
        if isinstance(item, tuple | list | _sre.SubPattern):
            todo += list(item)
    return False


class _UnknownError(Exception):
    """The pattern holds something that is not counted, such as a back-reference."""


def _repeats(items: list[Any], after: list[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Every unbounded repeat: its body, and all that has to match behind it."""
    for i, (op, argument) in enumerate(items):
        rest = items[i + 1 :] + after
        if op in _REPEATS:
            _, high, body = argument
            if high is _c.MAXREPEAT or high >= _MANY:
                yield list(body), rest
            yield from _repeats(list(body), rest)
        elif op is _c.SUBPATTERN:
            yield from _repeats(list(argument[-1]), rest)
        elif op is _c.BRANCH:
            for branch in argument[1]:
                yield from _repeats(list(branch), rest)


def _blows_up(body: list[Any], rest: list[Any], character: str) -> bool:
    return sum(_ways(body, character)[1:]) > 1 and not any(_ways(rest, character, at_end=0))


def _ways(items: list[Any], ch: str, at_end: int = 1) -> Ways:
    """`at_end`: ways in which an end-of-line anchor matches behind the repeated character."""
    total = [1] + [0] * _LONGEST
    for op, argument in items:
        total = _product(total, _item_ways(op, argument, ch, at_end))
    return total


def _item_ways(op: Any, argument: Any, ch: str, at_end: int) -> Ways:
    nothing, empty = [0] * (_LONGEST + 1), [1] + [0] * _LONGEST
    if op in (_c.LITERAL, _c.NOT_LITERAL, _c.ANY, _c.IN):
        return [0, int(_reads(op, argument, ch)), *nothing[2:]]
    if op in _REPEATS:
        low, high, body = argument
        return _repeated(_ways(list(body), ch, at_end), low, high)
    if op is _c.SUBPATTERN:
        return _ways(list(argument[-1]), ch, at_end)
    if op is _c.BRANCH:
        counted = [_ways(list(branch), ch, at_end) for branch in argument[1]]
        return [sum(column) for column in zip(*counted, strict=True)]
    if op is _c.AT:
        ends = argument in (_c.AT_END, _c.AT_END_STRING)
        return [at_end, *nothing[1:]] if ends else empty
    if op in _ONCE:
        body = argument[-1] if isinstance(argument, tuple) else argument
        longest = max((i for i, n in enumerate(_ways(list(body), ch, at_end)) if n), default=None)
        return [int(i == longest) for i in range(_LONGEST + 1)]  # it takes all it can, and keeps it
    if op in (_c.ASSERT, _c.ASSERT_NOT):
        return empty
    raise _UnknownError


def _repeated(body: Ways, low: int, high: Any) -> Ways:
    once = [0, *body[1:]]  # reading nothing once more is no other way
    optional = bool(body[0])
    power, total = [1] + [0] * _LONGEST, [0] * (_LONGEST + 1)
    for times in range(min(int(high), _LONGEST) + 1):
        if times >= low or optional:
            total = [a + b for a, b in zip(total, power, strict=True)]
        power = _product(power, once)
    return total


def _product(a: Ways, b: Ways) -> Ways:
    out = [0] * (_LONGEST + 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b[: _LONGEST + 1 - i]):
                out[i + j] += x * y
    return out


def _reads(op: Any, argument: Any, ch: str) -> bool:
    if op is _c.LITERAL:
        return bool(argument == ord(ch))
    if op is _c.NOT_LITERAL:
        return bool(argument != ord(ch))
    if op is _c.ANY:
        return ch != "\n"
    negated = False
    inside = False
    for kind, value in argument:
        if kind is _c.NEGATE:
            negated = True
        elif kind is _c.LITERAL:
            inside |= value == ord(ch)
        elif kind is _c.RANGE:
            inside |= value[0] <= ord(ch) <= value[1]
        elif kind is _c.CATEGORY:
            inside |= bool(re.match(_CATEGORIES[str(value)], ch)) if str(value) in _CATEGORIES else False
    return inside != negated

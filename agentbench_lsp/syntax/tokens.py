"""Tokens of JSON-like text. One regex reads them all; whatever it cannot read is a token too."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from agentbench_lsp.syntax.line_index import line_start

_GOOD_BODY = r'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
_STRING_BODY = r'[^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+'
_TYPED = r"[{}\[\]:]"
_SPLIT_LITERALS = "|".join(
    f"{word[:i]}{_TYPED}{word[i:]}" for word in ("true", "false", "null") for i in range(1, len(word))
)
_SCAN = re.compile(
    rf"""(?:
      (?P<punct>[{{}}\[\],:])
    | (?P<string>"{_GOOD_BODY}")
    | (?P<loose>"{_STRING_BODY}")
    | (?P<open>"{_STRING_BODY}\\?)
    | (?P<split>-?\d[\d.]*{_TYPED}\d[\d.]*|{_SPLIT_LITERALS})
    | (?P<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+"-]))
    | (?P<literal>(?:true|false|null)(?![\w."-]))
    | (?P<comment>(?<![\w"])//[^\r\n]*|(?<![\w"])/\*(?s:.*?)(?:\*/|\Z))
    | (?P<half>[^ \t\r\n{{}}\[\],:"]+"(?=[ \t]*(?:[:,}}\]]|[\r\n]|\Z)))
    | (?P<word>[^ \t\r\n{{}}\[\],:"]+)
    )""",
    re.VERBOSE,
)
_BEHIND_STRINGS = frozenset(["", *" \t\r\n,:]}"])
_CLOSERS = {"}": "{", "]": "["}
# `"type: "no_network"` or `"oracles: [`: the quote that closes the key is missing.
_KEY_WITHOUT_QUOTE = re.compile(r'"[\w./-]+(?:\\"?)?(?=[ \t]*:[ \t]*(?:[\[{]?[ \t]*"?|-?\d[\d.]*|true|false|null)$)')

_KEY_WITH_QUOTE_INSIDE = re.compile(r'"[\w./-]*(?:"[\w./-]*){1,2}"(?=[ \t]*:)')
_OPENER_IN_QUOTES = re.compile(r'"[ \t]*[\[{][ \t]*"')
_ONLY_OPENER = re.compile(r'"[ \t]*[\[{][ \t]*')  # a stray quote before a bracket


class Token(NamedTuple):
    """`kind`: the character itself for punctuation; string, loose (bad escapes), open, half, number, literal, …"""

    kind: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """All tokens, with one of kind `end` last."""
    tokens: list[Token] = []
    append, scan, position, size = tokens.append, _SCAN.search, 0, len(text)
    new = tuple.__new__  # twice as fast as calling the class, and half of the time is spent here
    while position < size:
        match = scan(text, position)
        if match is None:
            break
        kind, start, end = str(match.lastgroup), match.start(), match.end()
        if kind == "punct":
            kind = text[start]
        elif kind == "split":  # a number or literal with a bracket typed into it
            kind = "word"
        elif kind != "string" or text[end : end + 1] not in _BEHIND_STRINGS:
            kind, end = _reconsider(text, kind, start, end, tokens)
        append(new(Token, (kind, start, end)))
        position = end
    append(Token("end", size, size))
    return tokens


def _reconsider(text: str, kind: str, start: int, end: int, before: list[Token]) -> tuple[str, int]:
    """Kind and end of a string that swallowed what stood behind it, because a quote is missing."""
    if key := _KEY_WITH_QUOTE_INSIDE.match(text, start):
        return "loose", key.end()
    if kind == "open" and _ONLY_OPENER.fullmatch(text, start, end):
        return "word", start + 1
    if kind == "string" and _OPENER_IN_QUOTES.fullmatch(text, start, end):
        return "word", start + 1  # the second quote begins a key
    if kind == "open":
        end = _end_of_open_string(text, start, end, before)
    if kind in ("open", "string", "loose") and (key := _KEY_WITHOUT_QUOTE.match(text[start:end])):
        return "open", start + key.end()
    return kind, end


def _end_of_open_string(text: str, start: int, end: int, before: list[Token]) -> int:
    """An unterminated string most likely ends before the comma that ends its line.

    And before the closers of what was opened on that line.
    """
    line = line_start(text, start)
    on_line = itertools.takewhile(lambda token: token.start >= line, reversed(before))
    open_now: list[str] = []
    for kind in reversed([token.kind for token in on_line]):
        if kind in "{[":
            open_now.append(kind)
        elif kind in _CLOSERS and open_now:
            open_now.pop()
    body = text[start:end].rstrip(" \t")
    tail = body[:-1].rstrip(" \t") if body.endswith(",") else body
    while open_now and len(tail) > 1 and _CLOSERS.get(tail[-1]) == open_now.pop(0):
        tail = tail[:-1].rstrip(" \t")
    return start + len(tail)

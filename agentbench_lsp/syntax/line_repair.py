"""Lines whose quotes are out of step: one quote too many or too few turns text into words and words into text.

The sign is a backslash outside of every string, which no JSON has, or one property with a quote too many or too few.
Such a line, if it is one value on a line of its own, is read anew: its key, then one string up to the last quote, then
what ends the line.
"""

from __future__ import annotations

import re

from agentbench_lsp.syntax.line_index import line_start
from agentbench_lsp.syntax.tokens import Token, tokenize

_LINE = re.compile(r'(?P<key>[ \t]*(?:"(?:[^"\\]|\\.)*"[ \t]*:[ \t]*)?)(?P<body>.*")[ \t]*[}\]]*[ \t]*,?[ \t]*')

_PROPERTY = re.compile(r'[ \t]*"(?:[^"\\]|\\.)*"[ \t]*:[ \t]*(?P<value>(?:"|[^"\s\[{}\]tfn\d-]).*")[ \t]*,?[ \t]*')
_ESCAPED = re.compile(r"\\.")
_KEY = re.compile(r'"[ \t]*:')
_LINE_END = re.compile(r"[\r\n]")


def repair(text: str, tokens: list[Token]) -> list[Token]:
    """The tokens with those of such lines replaced."""
    repaired: list[Token] = []
    position = 0
    for token in tokens:
        if token.start < position:
            continue
        line = None
        alone = token.kind == "open" and token.end - token.start == 1 and bool(repaired) and repaired[-1].kind in "]}"
        if token.kind in ("word", "half") or alone:
            line = _bounds(text, token.start)
            if "\\" not in text[token.start : token.end] and not _has_an_odd_quote(text[slice(*line)]):
                line = None
        fresh = _read(text, *line) if line else None
        if line and fresh:
            while repaired and repaired[-1].start >= line[0]:
                repaired.pop()
            if repaired and repaired[-1].end > line[0]:
                repaired.append(token)  # a token of several lines, such as a comment, reaches into this one
                continue
            repaired += fresh
            position = line[1]
        else:
            repaired.append(token)
    return repaired


def _has_an_odd_quote(line: str) -> bool:
    """True for one property on a line whose text has a quote in the middle, or none at its beginning."""
    match = _PROPERTY.fullmatch(line)
    if match is None or _KEY.search(match["value"]):
        return False
    wanted = 3 if match["value"].startswith('"') else 1
    return _ESCAPED.sub("", match["value"]).count('"') == wanted


def _bounds(text: str, offset: int) -> tuple[int, int]:
    end = _LINE_END.search(text, offset)
    return line_start(text, offset), end.start() if end else len(text)


def _read(text: str, start: int, end: int) -> list[Token] | None:
    match = _LINE.fullmatch(text, start, end)
    if match is None or match.start("body") == match.start() == start:
        return None
    body_start, body_end = match.span("body")
    if text[body_start] != '"' and match["key"].strip() == "":
        return None
    kind = "loose" if text[body_start] == '"' and body_end - body_start > 1 else "half"
    return [
        *_shifted(text, match.start("key"), body_start),
        Token(kind, body_start, body_end),
        *_shifted(text, body_end, end),
    ]


def _shifted(text: str, start: int, end: int) -> list[Token]:
    return [Token(t.kind, t.start + start, t.end + start) for t in tokenize(text[start:end])[:-1]]

"""What a place in half-written JSON asks for: judged by the text before it, read as the parser would read it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agentbench_lsp.syntax.line_index import line_start
from agentbench_lsp.syntax.line_repair import repair
from agentbench_lsp.syntax.nodes import ObjectNode
from agentbench_lsp.syntax.recovery import Expects
from agentbench_lsp.syntax.token_reader import NotPlainError
from agentbench_lsp.syntax.tokens import Token, tokenize
from agentbench_lsp.syntax.tree_builder import TreeBuilder

# More of the string behind the cursor, if it is closed before anything that looks like another value.
_REST_OF_STRING = re.compile(r'[^"\s,:{}\[\]]*"')
_REST_OF_WORD = re.compile(r'[\w./-]*"?(?=[ \t]*(?:[,:}\]\r\n]|\Z))|')
_FINISHED = frozenset(["string", "number", "literal", *"{}[],:"])
_UNFINISHED = ("open", "half", "word", "number", "literal")


@dataclass(frozen=True, slots=True)
class Cursor:
    """`path` leads to the container at the offset; `key` is the property whose value is expected, if one is.

    `start` and `end` is the text to replace: what is already there of the string or word, quotes included. `typed`
    is the part of it before the cursor without the quote. `previous_end` is where the token before it ends, and
    `container_start` where the innermost container begins.
    """

    expects: Expects | Literal["document"]
    path: tuple[str | int, ...]
    key: str | None
    start: int
    end: int
    typed: str
    in_string: bool
    previous_end: int
    container_start: int | None


def cursor_at(text: str, offset: int, known: Sequence[Token] = ()) -> Cursor | None:
    """The cursor at an offset; None inside a comment and behind a finished string.

    `known` are the tokens of the whole text, where they have been read: those of earlier lines are then taken over.
    """
    tokens = _tokens_before(text, offset, known)
    last = tokens[-2] if len(tokens) > 1 else None
    if last is not None and _in_comment(text, last, offset):
        return None
    partial = _partial(text, last, offset)
    if partial is not None:
        tokens = [*tokens[:-2], tokens[-1]]
    parser = _read(text[:offset], tokens)
    start = partial.start if partial else offset
    in_string = partial is not None and text[start : start + 1] == '"'
    typed = text[start + in_string : offset]
    rest = (_REST_OF_STRING if in_string else _REST_OF_WORD).match(text, offset)
    end = rest.end() if rest and (partial or in_string) else offset
    frame = parser.stack[-1] if parser.stack else None
    if frame is None and parser.root is not None:
        return None
    expects: Expects | Literal["document"] = frame.expects if frame else "document"
    if expects == "comma" and offset == parser.previous_end:
        return None  # behind a value that is finished, where a closing quote may just have been typed
    key = None
    if frame is not None and isinstance(frame.node, ObjectNode) and expects == "value":
        key = frame.node.properties[-1].key.value
    container = frame.node.start if frame else None
    return Cursor(expects, _path(parser), key, start, end, typed, in_string, parser.previous_end, container)


def _read(text: str, tokens: list[Token]) -> TreeBuilder:
    """The containers that are open behind the tokens. Most texts are sound so far, and plain reading is faster."""
    parser = TreeBuilder(text, tokens, recover=False)
    try:
        parser.read()
    except NotPlainError:
        parser = TreeBuilder(text, repair(text, tokens), recover=True)
        parser.read()
    return parser


def _tokens_before(text: str, offset: int, known: Sequence[Token]) -> list[Token]:
    line = line_start(text, offset)
    count = bisect_right(known, line, key=lambda token: token.end)
    while count and known[count - 1].kind not in _FINISHED:
        count -= 1  # what stands behind an unfinished one may have decided how it is read
    start = known[count - 1].end if count else 0
    fresh = tokenize(text[start:offset])
    return [*known[:count], *(Token(t.kind, t.start + start, t.end + start) for t in fresh)]


def _in_comment(text: str, last: Token, offset: int) -> bool:
    if last.kind != "comment" or last.end != offset:
        return False
    comment = text[last.start : offset]
    return comment.startswith("//") or len(comment) < 4 or not comment.endswith("*/")


def _partial(text: str, last: Token | None, offset: int) -> Token | None:
    """The string or word that the cursor is in or directly behind."""
    if last is None or last.kind not in _UNFINISHED:
        return None
    if last.kind == "open":
        return last if not re.search(r"[\r\n]", text[last.end : offset]) else None
    return last if last.end == offset else None


def _path(parser: TreeBuilder) -> tuple[str | int, ...]:
    path: list[str | int] = []
    for frame in parser.stack[:-1]:
        if isinstance(frame.node, ObjectNode):
            properties = frame.node.properties  # none, where a container stands in place of the first key
            path.append(properties[-1].key.value if properties else "")
        else:
            path.append(len(frame.node.items) - 1)
    return tuple(path)

"""The tolerant parser: a tree for any text, errors with exact ranges, nothing raised, no recursion.

Valid JSON takes one plain pass. Where that finds an error, the text may be valid but for one bracket too many; if
not, a second pass reads it with the guesses of `line_repair` and `recovery`. What the author did not touch is to keep
its meaning.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Container
from typing import NamedTuple

from agentbench_lsp.syntax.line_repair import repair
from agentbench_lsp.syntax.nodes import Node, ObjectNode, walk
from agentbench_lsp.syntax.superfluous import candidates
from agentbench_lsp.syntax.token_reader import NotPlainError, Repair, SyntaxFault
from agentbench_lsp.syntax.tokens import Token, tokenize
from agentbench_lsp.syntax.tree_builder import TreeBuilder

# The end of the line, and at most two lines more: a quote that is missing would swallow what follows.
_REST = r'[^"\\\r\n]*+(?:\\(?:\r\n|(?s:.))[^"\\\r\n]*+)*+'
_OVER_LINES = re.compile(rf'"{_REST}(?:(?:\r\n|\n|\r){_REST}){{0,3}}"')
_LINE_END = re.compile(r"\r\n|\n|\r")


class ParsedText(NamedTuple):
    """What the parser made of a text. `root` is None where it holds no value at all."""

    text: str
    root: Node | None
    faults: list[SyntaxFault]
    tokens: list[Token]  # as they were read at first


def parse(text: str, objects: Container[str] = ()) -> ParsedText:
    """Parse any text. `objects`: keys whose value is an object, which a bracket before it does not change."""
    tokens = tokenize(text)
    first = TreeBuilder(text, tokens, recover=False)
    try:
        first.run()
    except NotPlainError:
        if repaired := _with_text_over_lines(text, tokens) or _without_superfluous_bracket(
            text, tokens, first.i, objects
        ):
            return repaired
        second = TreeBuilder(text, repair(text, tokens), recover=True)
        second.run()
        return ParsedText(text, second.root, second.faults, tokens)
    return ParsedText(text, first.root, [], tokens)


def _without_superfluous_bracket(
    text: str, tokens: list[Token], error: int, objects: Container[str]
) -> ParsedText | None:
    """The parsed text, if leaving out one bracket makes it valid."""
    for i in candidates(text, tokens, error, objects):
        attempt = TreeBuilder(text, tokens[:i] + tokens[i + 1 :], recover=False)
        with contextlib.suppress(NotPlainError):
            attempt.run()
            if _has_duplicates(attempt.root):
                continue  # two objects have become one
            verb = "opens" if tokens[i].kind in "{[" else "closes"
            kind, start, end = tokens[i]
            fault = SyntaxFault(start, end, f"this {kind} {verb} nothing; remove it", Repair(start, end, ""))
            return ParsedText(text, attempt.root, [fault], tokens)
    return None


def _with_text_over_lines(text: str, tokens: list[Token]) -> ParsedText | None:
    """The parsed text, if letting one string go over the end of its line makes it valid: Enter was pressed in it."""
    i = next(
        (i for i, token in enumerate(tokens) if token.kind == "open" or text[token.start : token.end] == '"'), None
    )
    match = _OVER_LINES.match(text, tokens[i].start) if i is not None else None
    if i is None or match is None:
        return None
    rest = [Token(t.kind, t.start + match.end(), t.end + match.end()) for t in tokenize(text[match.end() :])]
    attempt = TreeBuilder(text, [*tokens[:i], Token("string", *match.span()), *rest], recover=False)
    try:
        attempt.run()
    except NotPlainError:
        return None
    if _has_duplicates(attempt.root):
        return None
    faults = [
        SyntaxFault(*broken.span(), "the end of a line in a text is written \\n", Repair(*broken.span(), "\\n"))
        for broken in _LINE_END.finditer(text, *match.span())
    ]
    return ParsedText(text, attempt.root, faults, tokens)


def _has_duplicates(root: Node | None) -> bool:
    objects = (node for node in walk(root) if isinstance(node, ObjectNode))
    return any(len({p.key.value for p in node.properties}) < len(node.properties) for node in objects)

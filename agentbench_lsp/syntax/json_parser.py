"""The tolerant parser: a tree for any text, errors with exact ranges, nothing raised, no recursion.

Valid JSON takes one plain pass. Where that finds an error, the text may be valid but for one bracket too many; if
not, a second pass reads it with the guesses of `line_repair` and `recovery`. What the author did not touch is to keep
its meaning.
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from agentbench_lsp.syntax.line_repair import repair
from agentbench_lsp.syntax.nodes import Node, ObjectNode, walk
from agentbench_lsp.syntax.superfluous import candidates
from agentbench_lsp.syntax.token_reader import NotPlainError, Repair, SyntaxFault
from agentbench_lsp.syntax.tokens import Token, tokenize
from agentbench_lsp.syntax.tree_builder import TreeBuilder


class ParsedText(NamedTuple):
    """What the parser made of a text. `root` is None where it holds no value at all."""

    text: str
    root: Node | None
    faults: list[SyntaxFault]


def parse(text: str) -> ParsedText:
    """Parse any text."""
    tokens = tokenize(text)
    first = TreeBuilder(text, tokens, recover=False)
    try:
        first.run()
    except NotPlainError:
        if repaired := _without_superfluous_bracket(text, tokens, first.i):
            return repaired
        second = TreeBuilder(text, repair(text, tokens), recover=True)
        second.run()
        return ParsedText(text, second.root, second.faults)
    return ParsedText(text, first.root, [])


def _without_superfluous_bracket(text: str, tokens: list[Token], error: int) -> ParsedText | None:
    """The parsed text, if leaving out one bracket makes it valid."""
    for i in candidates(text, tokens, error):
        attempt = TreeBuilder(text, tokens[:i] + tokens[i + 1 :], recover=False)
        with contextlib.suppress(NotPlainError):
            attempt.run()
            if _has_duplicates(attempt.root):
                continue  # two objects have become one
            verb = "opens" if tokens[i].kind in "{[" else "closes"
            kind, start, end = tokens[i]
            fault = SyntaxFault(start, end, f"this {kind} {verb} nothing; remove it", Repair(start, end, ""))
            return ParsedText(text, attempt.root, [fault])
    return None


def _has_duplicates(root: Node | None) -> bool:
    objects = (node for node in walk(root) if isinstance(node, ObjectNode))
    return any(len({p.key.value for p in node.properties}) < len(node.properties) for node in objects)

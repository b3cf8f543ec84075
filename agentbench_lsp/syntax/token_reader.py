"""Walking the tokens: looking ahead, noting errors, making the nodes that have no children."""

from __future__ import annotations

import json
from typing import NamedTuple

from agentbench_lsp.syntax import json_string
from agentbench_lsp.syntax.nodes import LiteralNode, StringNode
from agentbench_lsp.syntax.tokens import Token

STRINGS = frozenset({"string", "loose", "open", "half"})
_LITERALS = {"true": True, "false": False, "null": None}
_MAX_ERRORS = 100
_MISSING = {"a comma": ",", "a colon": ":", "a }": "}", "a ]": "]"}
_MEANT = {"True": "true", "False": "false", "None": "null", "undefined": "null", "NaN": "null"}


class Repair(NamedTuple):
    """What would put an error right: the text from `start` to `end` becomes `text`. `certain`: nothing is guessed."""

    start: int
    end: int
    text: str
    certain: bool = False


class SyntaxFault(NamedTuple):
    """An error: range and message, and its repair where there is one."""

    start: int
    end: int
    message: str
    repair: Repair | None = None


class NotPlainError(Exception):
    """The text is no valid JSON."""


class TokenReader:
    """A position in the tokens. With `recover` False, `fault` raises `NotPlainError`."""

    def __init__(self, text: str, tokens: list[Token], recover: bool) -> None:
        self.text, self.tokens, self.recover = text, tokens, recover
        self.faults: list[SyntaxFault] = []
        self.i = 0
        self.previous_end = 0

    def fault(self, start: int, end: int, message: str, repair: Repair | None = None) -> None:
        if not self.recover:
            raise NotPlainError
        if len(self.faults) < _MAX_ERRORS:
            self.faults.append(SyntaxFault(start, max(end, start), message, repair))

    def superfluous(self, token: Token, message: str, certain: bool = False) -> None:
        """Something that has to be removed."""
        self.fault(token.start, token.end, message, Repair(token.start, token.end, "", certain))

    def missing(self, what: str, after: int | None = None) -> None:
        """Something is missing after the token that ends at `after` (the previous one): mark its last character."""
        end = self.previous_end if after is None else after
        verb = "are" if " and " in what else "is"
        text = _MISSING.get(what)
        repair = Repair(end, end, text, certain=text in (",", ":")) if text else None
        self.fault(max(0, end - 1), end, f"{what} {verb} missing after this", repair)

    def next_kind(self, ahead: int = 1) -> str:
        i = self.i
        while ahead:
            i += 1
            if i >= len(self.tokens):
                return "end"
            if self.tokens[i].kind != "comment":
                ahead -= 1
        return self.tokens[i].kind

    def next_is_key(self) -> bool:
        return self.next_kind() in STRINGS and self.next_kind(2) == ":"

    def string(self, token: Token) -> StringNode:
        kind = token.kind
        node = StringNode(token.start, token.end, self.text, opened=kind != "half", closed=kind != "open")
        if kind == "open":
            self.fault(token.start, token.end, 'the closing " is missing', Repair(token.end, token.end, '"'))
        elif kind == "half":
            self.fault(token.start, token.end, 'the opening " is missing', Repair(token.start, token.start, '"'))
        if kind != "string":
            start, end = node.inner
            for fault in json_string.faults(self.text[start:end]):
                at = start + fault.start
                repair = None if fault.repair is None else Repair(at, start + fault.end, fault.repair, certain=True)
                self.fault(at, start + max(fault.end, fault.start + 1), fault.message, repair)
        return node

    def scalar(self, token: Token) -> LiteralNode:
        raw = self.text[token.start : token.end]
        if token.kind == "literal":
            return LiteralNode(token.start, token.end, _LITERALS[raw])
        if token.kind == "number":
            try:
                return LiteralNode(token.start, token.end, json.loads(raw))
            except ValueError:  # more digits than Python converts
                self.fault(token.start, token.end, "the number has too many digits")
                return LiteralNode(token.start, token.end, 0)
        repair = Repair(token.start, token.end, _MEANT.get(raw) or json.dumps(raw, ensure_ascii=False))
        self.fault(token.start, token.end, f"{raw[:40]!r} is no JSON value; a text needs quotes", repair)
        return LiteralNode(token.start, token.end, raw, valid=False)

"""Colours for what JSON strings hold: patterns and commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.oracles.base import ParamKind
from agentbench_lsp.syntax import json_string
from agentbench_lsp.syntax.nodes import StringNode

TOKEN_TYPES = ("regexp", "operator", "keyword", "function", "parameter", "string", "variable", "comment", "number")
Token = tuple[int, int, str]

_REGEX = re.compile(
    r"""(?P<keyword>\\[dDwWsSbBAZ]|\(\?[aiLmsux]+\))
    | (?P<string>\\.)
    | (?P<operator>\((?:\?(?:P?<[=!]|P<\w+>|P=\w+|[:=!>|]|<\w+>))?|[)|^$]|[*+?][?+]?|\{\d*,?\d*\}[?+]?)
    | (?P<regexp>\[\^?\]?(?:\\.|[^\]\\])*\]|\.)""",
    re.VERBOSE | re.DOTALL,
)
_SHELL = re.compile(
    r"""(?P<comment>(?<!\S)\#[^\n]*)
    | (?P<string>'[^']*'|"(?:\\.|[^"\\])*")
    | (?P<variable>\$\{[^}]*\}|\$[A-Za-z_]\w*|\$[0-9?@*\#])
    | (?P<operator>&&|\|\||[;|&]|\d*(?:>>|>&|<&|>|<)|\n)
    | (?P<parameter>(?<=\s)--?[A-Za-z][\w-]*)
    | (?P<word>[^\s;|&()<>'"$]+)
    | (?P<bracket>[()])""",
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS = frozenset(
    ["if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until", "case", "esac", "set", "export"]
)


def semantic_tokens(view: DocumentView, start: int = 0, end: int | None = None) -> list[Token]:
    """`(start, end, type)` of each token between two offsets, in document order, none of them overlapping."""
    if not isinstance(view, TaskDocument):
        return []
    last = len(view.document.text) if end is None else end
    found: list[Token] = []
    readers: list[tuple[ParamKind, Callable[[str], Iterator[Token]]]] = [("regex", _regex), ("command", _command)]
    for kind, read in readers:
        for param in view.params(kind):
            if param.node.end >= start and param.node.start <= last:
                found += _mapped(param.node, read(param.node.value))
    return sorted(found)


def _mapped(node: StringNode, tokens: Iterator[Token]) -> Iterator[Token]:
    begin, end = node.inner
    offsets = json_string.offset_map(node.source[begin:end])
    for first, last, kind in tokens:
        if last < len(offsets):
            yield begin + offsets[first], begin + offsets[last], kind


def _regex(pattern: str) -> Iterator[Token]:
    for match in _REGEX.finditer(pattern):
        yield match.start(), match.end(), str(match.lastgroup)


def _command(command: str) -> Iterator[Token]:
    at_tool = True
    for match in _SHELL.finditer(command):
        kind = str(match.lastgroup)
        if kind == "bracket":
            at_tool = match[0] == "("
            continue
        if kind == "word":
            if at_tool and "=" in match[0]:
                yield match.start(), match.start() + match[0].index("="), "variable"
                continue
            if match[0] in _KEYWORDS:
                kind = "keyword"
            elif not at_tool:
                continue
            else:
                kind = "function"
            at_tool = kind == "keyword"
        elif kind == "operator":
            at_tool = match[0] in ("&&", "||", ";", "|", "&", "\n")
        yield match.start(), match.end(), kind

"""A file as lines that know their ends, so that an edit can keep the ends that the file has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agentbench_lsp.runner.edits.base import encode

_END = re.compile(r"\r?\n")
_ANY_END = re.compile(r"\r\n?|\n")


class Line(NamedTuple):
    """`end` is as it stands in the file; empty at the end of a file without a final line end."""

    text: str
    end: str


def split_lines(content: bytes, lone_cr: bool = False) -> list[Line]:
    """The lines of a file; a CR without LF ends one if `lone_cr`. Bytes that are no UTF-8 survive `join_lines`."""
    text = content.decode("utf-8", "surrogateescape")
    lines, start = [], 0
    for match in (_ANY_END if lone_cr else _END).finditer(text):
        lines.append(Line(text[start : match.start()], match[0]))
        start = match.end()
    return [*lines, Line(text[start:], "")] if start < len(text) else lines


def join_lines(lines: Iterable[Line]) -> bytes:
    """The file that `lines` are."""
    return "".join(text + end for text, end in lines).encode("utf-8", "surrogateescape")


def usual_end(lines: Sequence[Line]) -> str:
    """The line end that most lines have, the first of them where several do; LF where there is none."""
    ends = Counter(line.end for line in lines if line.end)
    return ends.most_common(1)[0][0] if ends else "\n"


def as_lines(text: str, end: str, name: str) -> list[Line]:
    """The lines of a text that a step writes. Raises NotAppliedError for half surrogate pairs.

    Every line ends in `end`, the last one too; a text that ends in a line end has no empty line after it.
    """
    encode(text, name)
    parts = text.replace("\r\n", "\n").split("\n")
    if parts[-1] == "":
        parts.pop()
    return [Line(part, end) for part in parts]


def complete(lines: list[Line], end: str) -> list[Line]:
    """`lines`, each with an end."""
    return [line if line.end else Line(line.text, end) for line in lines]

"""Documents that are valid but for one bracket too many: find it, so that all else keeps its meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

from agentbench_lsp.syntax.recovery import Layout
from agentbench_lsp.syntax.tokens import Token

_MOST_WORK = 8_000  # tokens to read in all, which takes about a hundredth of a second
_PAIRS = (("{", "}"), ("[", "]"))


def candidates(text: str, tokens: list[Token], error: int, objects: Container[str]) -> Iterator[int]:
    """Indexes of brackets that may be the superfluous one, the likely ones first.

    Closing brackets that do not begin their line come before those that do; then those near the first error. None
    where the brackets do not differ by exactly one. An opening bracket that is a property's value is none: more likely
    its closing one is missing. `objects`: keys whose value is no list.
    """
    counts = Counter(token.kind for token in tokens)
    surplus = [counts[a] - counts[b] for a, b in _PAIRS]
    if sorted(map(abs, surplus)) != [0, 1]:
        return
    which = 0 if surplus[0] else 1
    kind = _PAIRS[which][0 if surplus[which] > 0 else 1]
    places = [i for i, token in enumerate(tokens) if token.kind == kind and not _is_value(text, tokens, i, objects)]
    layout = Layout(text)
    closing = kind in "}]"
    places.sort(key=lambda i: (closing and layout.is_first_on_line(tokens[i].start), abs(i - error)))
    yield from places[: _MOST_WORK // len(tokens)]


def _is_value(text: str, tokens: list[Token], i: int, objects: Container[str]) -> bool:
    if tokens[i].kind not in "{[" or i == 0 or tokens[i - 1].kind != ":":
        return False
    if tokens[i].kind == "{":
        return tokens[i + 1].kind not in "{["
    key = text[tokens[i - 2].start + 1 : tokens[i - 2].end - 1] if i > 1 else ""
    return not (key in objects and tokens[i + 1].kind == "{")

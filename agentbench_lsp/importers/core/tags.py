"""Elements in a model's text, as in `<path>a.txt</path>`. What is written between others' tags is not looked into."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

_OPEN = re.compile(r"<(\w{1,60})>")


def elements(text: str, names: Container[str] | None = None) -> Iterator[tuple[str, str]]:
    """Name and content of each element that is closed, in order; of those named, or of all. Takes linear time."""
    at, unclosed = 0, set()
    while (opened := _OPEN.search(text, at)) is not None:
        name, at = opened[1], opened.end()
        if name in unclosed or (names is not None and name not in names):
            continue
        end = text.find(f"</{name}>", at)
        if end < 0:
            unclosed.add(name)
            continue
        yield name, text[at:end]
        at = end + len(name) + 3

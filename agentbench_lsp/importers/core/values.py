"""Looking into recorded values, which may be anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.json_stream import decode


class Words(frozenset[str]):
    """Words that a recorded value may be one of; a value that is no text is none of them."""

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and super().__contains__(value)


def as_dict(value: object) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def dicts(value: object) -> list[dict[str, Any]]:
    """The objects of a list; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value where it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def as_int(value: object) -> int | None:
    """The value where it is a whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def json_dict(value: object) -> dict[str, Any] | None:
    """An object, given as such or as JSON text; None for what is none."""
    if isinstance(value, str):
        try:
            value = decode(value)
        except ValueError:
            return None
    return value if isinstance(value, dict) else None


def text_of(content: object) -> str:
    """The text of a message: a text, or the texts of its parts."""
    if isinstance(content, str):
        return content
    return "\n".join(_texts(content))


def _texts(content: object) -> Iterator[str]:
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            for key in ("text", "output", "content"):
                if isinstance(part.get(key), str):
                    yield part[key]
                    break
                if isinstance(part.get(key), list):
                    yield text_of(part[key])
                    break

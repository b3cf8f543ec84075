"""Reading JSON documents strictly: UTF-8 with or without BOM, no duplicate keys, no NaN, any depth answered."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

JsonPath = tuple[str | int, ...]


@dataclass(slots=True)
class JsonDocument:
    """A parsed document and the faults that plain `json.loads` hides."""

    value: Any
    duplicates: list[JsonPath] = field(default_factory=list)  # path of each key that stands twice in one object


class JsonLimitError(ValueError):
    """The text is JSON-like, but no value can be made of it (depth, number size, NaN)."""


def read_json(path: str | Path) -> JsonDocument:
    """The document in a file. Raises OSError, UnicodeDecodeError, json.JSONDecodeError, JsonLimitError."""
    return parse_json(read_text(path))


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file, without a BOM, its line ends as they are. Raises OSError, UnicodeDecodeError."""
    return Path(path).read_bytes().decode("utf-8-sig")


def parse_json(text: str) -> JsonDocument:
    """The document in a text. Raises json.JSONDecodeError, JsonLimitError."""
    repeated: dict[int, list[str]] = {}
    keep: list[dict[str, Any]] = []  # keeps ids of the objects with duplicates valid

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            seen: set[str] = set()
            repeated[id(result)] = [k for k, _ in pairs if k in seen or seen.add(k)]  # type: ignore[func-returns-value]
            keep.append(result)
        return result

    try:
        value = json.loads(text, object_pairs_hook=build, parse_constant=_refuse)
    except RecursionError:
        raise JsonLimitError("it is nested too deeply to be read") from None
    except json.JSONDecodeError:
        raise
    except JsonLimitError:
        raise
    except ValueError as exc:  # int() refuses numbers of more than 4300 digits
        raise JsonLimitError(str(exc)) from None
    return JsonDocument(value, _locate(value, repeated) if repeated else [])


def _refuse(name: str) -> NoReturn:
    raise JsonLimitError(f"{name} is no JSON number")


def _locate(value: Any, repeated: dict[int, list[str]]) -> list[JsonPath]:
    found: list[JsonPath] = []
    todo: list[tuple[JsonPath, Any]] = [((), value)]
    while todo:
        path, node = todo.pop()
        if isinstance(node, dict):
            found += [(*path, key) for key in dict.fromkeys(repeated.get(id(node), []))]
            todo += [((*path, key), child) for key, child in reversed(node.items())]
        elif isinstance(node, list):
            todo += [((*path, i), child) for i, child in reversed(list(enumerate(node)))]
    return found

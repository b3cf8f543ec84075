"""Which JSON is a task, a trajectory, a manifest: by content first, then by file name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from agentbench_lsp.dsl.schema import DocumentKind

# VS Code, npm and others keep their own `tasks` and `steps`: content counts only with the shape that is ours.
_KINDS: tuple[DocumentKind, ...] = ("task", "trajectory", "manifest")
_FOREIGN_NAMES = frozenset({"package.json", "tasks.json", "launch.json", "settings.json", "tsconfig.json"})


def kind_by_content(shape: Mapping[str, str]) -> DocumentKind | None:
    """The kind of an object whose keys have these JSON types (`array`, `object`, …, `missing` for none yet)."""
    if shape.get("oracles") in ("array", "missing") or ("oracles" in shape and "workspace" in shape):
        return "task"
    if shape.get("task_files") == "array" or shape.get("task_subset") == "string":
        return "manifest"
    if shape.get("steps") == "array" and _only_ours(shape):
        return "trajectory"
    if {"workspace", "prompt"} <= shape.keys():
        return "task"
    return None


def _only_ours(shape: Mapping[str, str]) -> bool:
    # `steps` alone is a common word: CI files, recipes, tours. Ours stands alone or beside metadata.
    return "metadata" in shape or set(shape) <= {"steps", "version", "events", "id", "agent", "model", "ignore_rules"}


def kind_by_name(path: str) -> DocumentKind | None:
    """The kind that a file's name promises; the path has forward slashes."""
    pure = PurePosixPath(path)
    name = pure.name.lower()
    for kind in _KINDS:
        if name.endswith(f".{kind}.json"):
            return kind
    if name in _FOREIGN_NAMES or name.startswith(".") or ".vscode" in pure.parts:
        return None
    if name.startswith("manifest") and name.endswith(".json") and pure.parent.name == "tasks":
        return "manifest"
    if pure.parent.name == "tasks" and name.endswith(".json"):
        return "task"
    if pure.parent.name == "trajectories" and name.endswith(".json"):
        return "trajectory"
    return None


_JSON_TYPES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "boolean"),
    (dict, "object"),
    (list, "array"),
    (str, "string"),
    ((int, float), "number"),
    (type(None), "null"),
)


def shape_of(value: Any) -> dict[str, str] | None:
    """Key -> JSON type of an object; None for other values."""
    if not isinstance(value, dict):
        return None
    return {key: next(name for kind, name in _JSON_TYPES if isinstance(v, kind)) for key, v in value.items()}

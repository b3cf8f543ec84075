"""The project a task belongs to: the nearest `pyproject.toml` above it that has a `[tool.agentbench]` table.

Keys: `oracles` (list of Python files with custom oracles, relative to the table's file and below its folder) and
`pass_env` (list of environment variables that commands get although they look like secrets).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class ProjectError(ValueError):
    """A `[tool.agentbench]` table that cannot be used; the message names the file."""


@dataclass(frozen=True, slots=True)
class Project:
    """What `[tool.agentbench]` says. `root` is None where there is no such table."""

    root: Path | None = None
    oracle_files: tuple[Path, ...] = ()
    pass_env: tuple[str, ...] = ()


def find_project(start: Path) -> Project:
    """The project of a file or folder. Reads, never runs. Raises ProjectError."""
    start = start.resolve()
    for folder in (start, *start.parents):
        candidate = folder / "pyproject.toml"
        if not candidate.is_file():
            continue
        table = _table(candidate)
        if table is not None:
            return _project(candidate, table)
    return Project()


def _table(path: Path) -> dict[str, Any] | None:
    try:
        content = path.read_text(encoding="utf-8")
        if "agentbench" not in content:
            return None
        table = tomllib.loads(content).get("tool", {}).get("agentbench")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError) as exc:
        raise ProjectError(f"{path}: cannot be read as TOML: {exc}") from None
    if table is not None and not isinstance(table, dict):
        raise ProjectError(f"{path}: [tool.agentbench] must be a table")
    return table


def _project(path: Path, table: dict[str, Any]) -> Project:
    root = path.parent
    files = []
    for name in _texts(path, table, "oracles"):
        target = (root / name).resolve()
        if not target.is_relative_to(root):
            raise ProjectError(f"{path}: the oracle file {name!r} is outside the project; it has to be below {root}")
        if not target.is_file():
            raise ProjectError(f"{path}: the oracle file {name!r} does not exist")
        files.append(target)
    return Project(root, tuple(files), _texts(path, table, "pass_env"))


def _texts(path: Path, table: dict[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ProjectError(f"{path}: [tool.agentbench] {key} must be a list of texts")
    return tuple(value)

"""The project a task belongs to: the nearest `pyproject.toml` above it that has a `[tool.agentbench]` table.

Keys: `oracles` (list of Python files with custom oracles, relative to the table's file and below its folder),
`pass_env` (list of environment variables that commands get although they look like secrets), `severity` (table of
rule code -> `error`, `warning`, `information`, `hint`, `off`) and `per-file-ignores` (table of glob -> list of codes).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class ProjectError(ValueError):
    """A `[tool.agentbench]` table that cannot be used; the message names the file."""


@dataclass(frozen=True)
class Project:
    """What `[tool.agentbench]` says. `root` is None where there is no such table."""

    root: Path | None = None
    oracle_files: tuple[Path, ...] = ()
    pass_env: tuple[str, ...] = ()
    severity: Mapping[str, Any] = field(default_factory=dict)  # as written; `language` knows the codes
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    file: Path | None = None  # the pyproject.toml


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
    severity = _sub_table(path, table, "severity")
    ignores = _sub_table(path, table, "per-file-ignores")
    per_file = {glob: _texts(path, ignores, glob) for glob in ignores}
    return Project(root, tuple(files), _texts(path, table, "pass_env"), severity, per_file, path)


def _sub_table(path: Path, table: dict[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise ProjectError(f"{path}: [tool.agentbench] {key} must be a table")
    return value


def _texts(path: Path, table: dict[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ProjectError(f"{path}: [tool.agentbench] {key} must be a list of texts")
    return tuple(value)

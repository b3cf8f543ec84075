"""The oracle types a task may name: built-in, registered, of the project's files, of installed packages.

Custom ones are read, not run: their type, docstring and literal `params` are taken from the source text. That is
what `agentbench check` and the language server may do, and all of them then know the same types.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import agentbench_lsp.oracles  # noqa: F401 - registers the built-in types
from agentbench_lsp.dsl.project import Project
from agentbench_lsp.oracles.base import OracleSpec, Param, ParamKind, registered_specs

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "agentbench.oracles"
_PARAM_FIELDS = tuple(field.name for field in dataclasses.fields(Param))


@dataclass(frozen=True, slots=True)
class CustomOracle:
    """An oracle type that is not built in and where its code is: a file, or an entry point `module[:attr]`."""

    spec: OracleSpec
    file: Path | None = None
    entry_point: str | None = None


class Catalogue(Mapping[str, OracleSpec]):
    """Specs by oracle type. Files and packages are looked at only when a type is asked for that is not built in."""

    def __init__(self, project: Project | None = None) -> None:
        self.project = project or Project()
        self._built_in = registered_specs()

    @cached_property
    def custom(self) -> dict[str, CustomOracle]:
        """Custom oracles by type. A project's file wins over a package."""
        from importlib.metadata import entry_points  # costs a tenth of the start, and few tasks need it

        found = {c.spec.type: c for c in map(_from_entry_point, entry_points(group=ENTRY_POINT_GROUP))}
        for path in self.project.oracle_files:
            found |= {spec.type: CustomOracle(spec, file=path) for spec in scan_oracles(path)}
        return {name: oracle for name, oracle in found.items() if name not in self._built_in}

    def __getitem__(self, key: str) -> OracleSpec:
        if key in self._built_in:
            return self._built_in[key]
        return self.custom[key].spec

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        yield from self.custom

    def __len__(self) -> int:
        return len(self._built_in) + len(self.custom)


def scan_oracles(path: Path) -> list[OracleSpec]:
    """Oracle types that a Python file declares, by its source alone. A file that does not parse declares none."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    return [spec for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and (spec := _class_spec(node))]


def _class_spec(node: ast.ClassDef) -> OracleSpec | None:
    values: dict[str, ast.expr] = {}
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            values[statement.targets[0].id] = statement.value
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
            values[statement.target.id] = statement.value
    name = values.get("oracle_type")
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value):
        return None
    doc = inspect.cleandoc(ast.get_docstring(node) or "")
    limit = values.get("time_limit")
    seconds = limit.value if isinstance(limit, ast.Constant) and isinstance(limit.value, int | float) else None
    guard = values.get("guard")
    guards = isinstance(guard, ast.Constant) and guard.value is True
    return OracleSpec(name.value, _literal_params(values.get("params")), doc, seconds, guards)


def _literal_params(node: ast.expr | None) -> tuple[Param, ...] | None:
    """Declared params, where every one of them is a `Param(...)` of literals; None otherwise."""
    if not isinstance(node, ast.Tuple | ast.List):
        return None
    params: list[Param] = []
    for item in node.elts:
        if not isinstance(item, ast.Call):
            return None
        try:
            values: dict[str, Any] = dict(zip(_PARAM_FIELDS, map(ast.literal_eval, item.args), strict=False))
            values |= {keyword.arg or "**": ast.literal_eval(keyword.value) for keyword in item.keywords}
            if isinstance(values.get("default"), list):
                values["default"] = tuple(values["default"])
            param = Param(**values)
            hash(param)
        except (ValueError, TypeError):
            return None
        if param.kind not in get_args(ParamKind):
            return None
        params.append(param)
    return tuple(params)


def _from_entry_point(entry: EntryPoint) -> CustomOracle:
    spec = OracleSpec(entry.name)
    if entry.dist is not None:
        for tail in (".py", "/__init__.py"):
            path = Path(str(entry.dist.locate_file(entry.module.replace(".", "/") + tail)))
            spec = next((s for s in scan_oracles(path) if s.type == entry.name), spec) if path.is_file() else spec
    return CustomOracle(spec, entry_point=entry.value)

"""The oracle interface and its registry (seed: `agentbench.oracles.base`)."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from agentbench_lsp.models.paths import fold
from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.runner.shell import CommandOptions
from agentbench_lsp.runner.trajectory import Trajectory

ParamKind = Literal["workspace_path", "regex", "command", "seconds", "string", "integer", "boolean", "string_list"]


@dataclass(frozen=True, slots=True)
class Param:
    """One param of an oracle type: all that the schema, validation, completion, hover and docs know of it."""

    name: str
    kind: ParamKind = "string"
    required: bool = True
    default: Any = None
    description: str = ""
    must_exist: bool = False  # a workspace_path that has to be a key of `workspace`


@dataclass(frozen=True, slots=True)
class OracleSpec:
    """What is known of an oracle type without running it. `params` is None where the class declares none."""

    type: str
    params: tuple[Param, ...] | None = None
    doc: str = ""
    time_limit: float | None = None  # seconds
    guard: bool = False

    def param(self, name: str) -> Param | None:
        return next((p for p in self.params or () if p.name == name), None)

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.params or () if p.required)


@dataclass(frozen=True, slots=True)
class OracleContext:
    """What the evaluator tells the built-in oracles beyond the seed's arguments."""

    files: Mapping[str, bytes]  # the workspace as the agent left it
    regex_seconds: float = 5.0
    initial: Mapping[str, bytes] | None = None  # the workspace before; None: read it from `initial_workspace`
    brief: bool = False  # only `passed` is asked for; costly details may be left out


class OracleCheck(ABC):
    """A check that is run after a trajectory has been replayed.

    A subclass sets `oracle_type`, may declare `params`, and implements `check`. Its docstring is what editors show.
    """

    oracle_type: ClassVar[str]
    params: ClassVar[tuple[Param, ...] | None] = None
    # What `workspace` has to be: a folder of the oracle's own, or the one folder that commands share, in order.
    workspace_kind: ClassVar[Literal["own-folder", "command-folder"]] = "own-folder"
    time_limit: ClassVar[float | None] = None  # seconds; None: the evaluator's limit
    # True: it watches for what the agent must not do, so that it passes as long as nothing is done.
    guard: ClassVar[bool] = False

    @abstractmethod
    def check(
        self, oracle: Oracle, workspace: Path, trajectory: Trajectory, initial_workspace: dict[str, str]
    ) -> OracleResult:
        """Judge the replayed workspace and the recorded steps. `initial_workspace` is `task.workspace`."""

    @classmethod
    def spec(cls) -> OracleSpec:
        """The declaration, as data."""
        return OracleSpec(cls.oracle_type, cls.params, inspect.cleandoc(cls.__doc__ or ""), cls.time_limit, cls.guard)


class FileOracle(OracleCheck):
    """An oracle that needs the files' bytes but no folder: replay in memory is enough for it."""

    @abstractmethod
    def check_files(
        self,
        oracle: Oracle,
        context: OracleContext,
        trajectory: Trajectory,
        initial_workspace: dict[str, str],
    ) -> OracleResult:
        """Judge the files in `context.files`."""

    def check(
        self, oracle: Oracle, workspace: Path, trajectory: Trajectory, initial_workspace: dict[str, str]
    ) -> OracleResult:
        return self.check_files(oracle, OracleContext(folder_files(workspace)), trajectory, initial_workspace)


class CommandOracle(OracleCheck):
    """An oracle that runs a command, in the one folder that a task's commands share, in order."""

    workspace_kind = "command-folder"
    options: CommandOptions = CommandOptions()  # set by the evaluator

    def seconds(self, oracle: Oracle) -> float:
        """How long the command of `oracle` may run."""
        raise NotImplementedError


def folder_files(root: Path) -> dict[str, bytes]:
    """Regular files below `root` by relative path. Symbolic links are not followed."""
    files: dict[str, bytes] = {}
    todo = [root]
    while todo:
        for entry in todo.pop().iterdir():
            if entry.is_symlink():
                continue
            if entry.is_dir():
                todo.append(entry)
            elif entry.is_file():
                files[entry.relative_to(root).as_posix()] = entry.read_bytes()
    return files


_registry: dict[str, type[OracleCheck]] = {}
_Check = TypeVar("_Check", bound=type[OracleCheck])


def register_oracle(cls: _Check) -> _Check:
    """Class decorator: make an oracle type known. Raises ValueError for a taken or missing `oracle_type`."""
    name = getattr(cls, "oracle_type", None)
    if not isinstance(name, str) or not name:
        raise ValueError(f"{cls.__name__} needs a class attribute `oracle_type` with its name")
    other = _registry.get(name)
    if other is not None and (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
        raise ValueError(f"oracle type {name!r} is already registered by {other.__module__}.{other.__qualname__}")
    _registry[name] = cls
    return cls


def get_oracle(oracle_type: str) -> OracleCheck:
    """An instance of the check for `oracle_type`. Raises ValueError where the type is unknown."""
    check = find_oracle(oracle_type)
    if check is None:
        raise ValueError(f"Unknown oracle type: {oracle_type!r}")
    return check


def find_oracle(oracle_type: str) -> OracleCheck | None:
    """An instance of the check for `oracle_type`; None where no such type is registered in this process."""
    try:
        cls = _registry[oracle_type]
    except (KeyError, TypeError):  # TypeError: not even hashable
        return None
    return cls()


def is_command(oracle_type: str) -> bool:
    """True for a type whose oracles share the folder of the task's commands."""
    check = find_oracle(oracle_type)
    return check is not None and check.workspace_kind == "command-folder"


def registered_specs() -> dict[str, OracleSpec]:
    """Every oracle type that is registered in this process, in order of registration."""
    return {name: cls.spec() for name, cls in _registry.items()}


def unregister_oracle(oracle_type: str) -> None:
    """Forget a type. For tests and for reloading a project's oracles."""
    _registry.pop(oracle_type, None)


def path_params(oracle: Oracle, spec: OracleSpec | None) -> list[str]:
    """The workspace files that an oracle names in its declared params, by normalised path."""
    declared = (spec.params or ()) if spec else ()
    values = [oracle.params.get(p.name) for p in declared if p.kind == "workspace_path"]
    return [path for value in values if isinstance(value, str) and (path := fold(value))]


def text_param(oracle: Oracle, name: str) -> str | None:
    """A param's value where it is non-empty text."""
    value = oracle.params.get(name)
    return value if isinstance(value, str) and value else None

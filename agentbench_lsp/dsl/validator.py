"""Validation of parsed documents (seed: `agentbench.dsl.validator`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from agentbench_lsp.dsl import structure
from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.errors import DocumentError, ValidationError
from agentbench_lsp.dsl.workspace_keys import encoding_fault, key_faults
from agentbench_lsp.oracles.base import OracleSpec


class _KnownTypes(Set[str]):
    """The oracle types there are now: built-in, registered, of installed packages."""

    def __contains__(self, item: object) -> bool:
        return isinstance(item, str) and item in Catalogue()

    def __iter__(self) -> Iterator[str]:
        return iter(Catalogue())

    def __len__(self) -> int:
        return len(Catalogue())


class _RequiredParams(Mapping[str, tuple[str, ...]]):
    """Required params by oracle type, of the types there are now."""

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return Catalogue()[key].required

    def __iter__(self) -> Iterator[str]:
        return iter(Catalogue())

    def __len__(self) -> int:
        return len(Catalogue())


KNOWN_ORACLE_TYPES: Set[str] = _KnownTypes()
ORACLE_REQUIRED_PARAMS: Mapping[str, tuple[str, ...]] = _RequiredParams()


def task_document_errors(data: Any, specs: Mapping[str, OracleSpec] | None = None) -> list[DocumentError]:
    """Every error of a task document. `specs`: the oracle types there are; default `KNOWN_ORACLE_TYPES`."""
    errors = structure.task_errors(data, Catalogue() if specs is None else specs)
    workspace = data.get("workspace") if isinstance(data, dict) else None
    if isinstance(workspace, dict):
        errors += _workspace_errors(workspace)
    return errors


def _workspace_errors(workspace: dict[str, Any]) -> Iterator[DocumentError]:
    keys = list(workspace)
    for fault in key_faults(keys):
        yield DocumentError(("workspace", keys[fault.position]), fault.code, fault.message)
    for key, content in workspace.items():
        if isinstance(content, str) and (reason := encoding_fault(content)):
            yield DocumentError(("workspace", key), "invalid-content", f"the content {reason}")


def validate_task_dict(data: Any) -> None:
    """Raise ValidationError with every error of a task document."""
    _refuse(task_document_errors(data))


def validate_trajectory_dict(data: Any) -> None:
    """Raise ValidationError with every error of a trajectory document."""
    _refuse(structure.trajectory_errors(data))


def validate_manifest_dict(data: Any) -> None:
    """Raise ValidationError with every error of a manifest document."""
    _refuse(structure.manifest_errors(data))


def _refuse(errors: list[DocumentError]) -> None:
    if errors:
        raise ValidationError(errors)

"""Validation of parsed documents (seed: `agentbench.dsl.validator`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from agentbench_lsp.dsl import structure
from agentbench_lsp.dsl.errors import DocumentError, ValidationError
from agentbench_lsp.dsl.workspace_keys import encoding_fault, key_faults
from agentbench_lsp.oracles.base import OracleSpec, registered_specs


class _KnownTypes(Set[str]):
    """The registered oracle types, as they are now."""

    def __contains__(self, item: object) -> bool:
        return isinstance(item, str) and item in registered_specs()

    def __iter__(self) -> Iterator[str]:
        return iter(registered_specs())

    def __len__(self) -> int:
        return len(registered_specs())


class _RequiredParams(Mapping[str, tuple[str, ...]]):
    """Required params by registered oracle type, as they are now."""

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return registered_specs()[key].required

    def __iter__(self) -> Iterator[str]:
        return iter(registered_specs())

    def __len__(self) -> int:
        return len(registered_specs())


KNOWN_ORACLE_TYPES: Set[str] = _KnownTypes()
ORACLE_REQUIRED_PARAMS: Mapping[str, tuple[str, ...]] = _RequiredParams()


def task_document_errors(data: Any, specs: Mapping[str, OracleSpec] | None = None) -> list[DocumentError]:
    """Every error of a task document. `specs`: the oracle types there are; default those registered."""
    errors = structure.task_errors(data, registered_specs() if specs is None else specs)
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

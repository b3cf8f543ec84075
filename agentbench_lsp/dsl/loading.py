"""Documents from files and from text: strict JSON, then validation."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Any

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.errors import DocumentError, ValidationError
from agentbench_lsp.dsl.project import find_project
from agentbench_lsp.dsl.validator import task_document_errors, validate_manifest_dict, validate_trajectory_dict
from agentbench_lsp.models.json_text import JsonDocument, JsonLimitError, parse_json, read_json
from agentbench_lsp.oracles.base import OracleSpec

Validate = Callable[[Any], None]


def load_task_document(path: str | Path) -> dict[str, Any]:
    """The validated JSON of a task file, which may name the custom oracles of its project.

    Raises OSError, UnicodeDecodeError, json.JSONDecodeError, ValidationError, ProjectError.
    """
    return validated(lambda: read_json(path), _task_validation(Catalogue(find_project(Path(path)))))


def load_trajectory_document(path: str | Path) -> dict[str, Any]:
    """The validated JSON of a trajectory file. Raises as `load_task_document`."""
    return validated(lambda: read_json(path), validate_trajectory_dict)


def load_manifest_document(path: str | Path) -> dict[str, Any]:
    """The validated JSON of a manifest file. Raises as `load_task_document`."""
    return validated(lambda: read_json(path), validate_manifest_dict)


def document_from_text(text: str, validate: Validate) -> dict[str, Any]:
    """The validated JSON of a text. Raises json.JSONDecodeError, ValidationError."""
    return validated(lambda: parse_json(text), validate)


def task_document(text: str, specs: Mapping[str, OracleSpec], tolerated: Container[str] = ()) -> dict[str, Any]:
    """The validated JSON of a task text, for the oracle types of `specs`; errors with a `tolerated` code pass.

    Raises json.JSONDecodeError, ValidationError.
    """
    return validated(lambda: parse_json(text), _task_validation(specs, tolerated))


def _task_validation(specs: Mapping[str, OracleSpec], tolerated: Container[str] = ()) -> Validate:
    def validate(value: Any) -> None:
        errors = task_document_errors(value, specs)
        if any(error.code not in tolerated for error in errors):
            raise ValidationError(errors)

    return validate


def validated(parse: Callable[[], JsonDocument], validate: Validate) -> dict[str, Any]:
    """Parse, then raise ValidationError with the hidden faults (duplicate keys) and those of the structure."""
    try:
        document = parse()
    except JsonLimitError as exc:
        raise ValidationError([DocumentError((), "json-syntax", str(exc))]) from None
    errors = [
        DocumentError(path, "duplicate-key", f"the key {path[-1]!r} stands twice; the first one would be hidden")
        for path in document.duplicates
    ]
    try:
        validate(document.value)
    except ValidationError as exc:
        errors += exc.errors
    if errors:
        raise ValidationError(errors)
    result: dict[str, Any] = document.value
    return result

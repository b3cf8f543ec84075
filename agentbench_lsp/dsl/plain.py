"""Documents that have nothing wrong with their structure, seen at a glance.

A short cut before the schemas, nothing more: what is called plain here has no error there (a property test holds it to
that), and all else is judged by them. It spares most runs the import of `jsonschema`, half of the start of `check`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from agentbench_lsp.dsl.regex_syntax import regex_fault
from agentbench_lsp.dsl.schema import REQUIRED_TASK_FIELDS
from agentbench_lsp.oracles.base import OracleSpec, ParamKind


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_filled(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and not value.isspace() and value.isprintable()


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_seconds(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value) and value >= 0


_KINDS: dict[ParamKind, Callable[[Any], bool]] = {
    "workspace_path": lambda value: isinstance(value, str) and bool(value),
    "regex": lambda value: isinstance(value, str) and bool(value) and regex_fault(value) is None,
    "command": lambda value: isinstance(value, str) and any(ch.isalnum() for ch in value),
    "seconds": _is_seconds,
    "string": _is_text,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "string_list": _is_texts,
}


def is_plain_task(task: Any, specs: Mapping[str, OracleSpec]) -> bool:
    """True for a task without a structure error. False says nothing."""
    if not isinstance(task, dict) or not _is_filled(task.get("id")):
        return False
    if not all(name in task for name in REQUIRED_TASK_FIELDS):
        return False
    workspace, oracles = task["workspace"], task["oracles"]
    return (
        all(map(_is_text, (task["name"], task["description"], task["prompt"])))
        and isinstance(workspace, dict)
        and bool(workspace)
        and all(map(_is_text, workspace.values()))
        and all(_is_texts(task[name]) for name in ("tags", "ignore_rules") if name in task)
        and isinstance(oracles, list)
        and bool(oracles)
        and all(_is_plain_oracle(oracle, specs) for oracle in oracles)
    )


def _is_plain_oracle(oracle: Any, specs: Mapping[str, OracleSpec]) -> bool:
    name = oracle.get("type") if isinstance(oracle, dict) else None
    spec = specs.get(name) if isinstance(name, str) and name else None
    if spec is None:
        return False
    for param in spec.params or ():
        if param.name in oracle:
            if not _KINDS[param.kind](oracle[param.name]):
                return False
        elif param.required:
            return False
    return True


def is_plain_trajectory(trajectory: Any) -> bool:
    """True for a trajectory without a structure error. False says nothing."""
    if not isinstance(trajectory, dict) or not isinstance(trajectory.get("steps"), list):
        return False
    metadata = trajectory.get("metadata")
    if metadata is not None and not (isinstance(metadata, dict) and isinstance(metadata.get("cwd"), str | None)):
        return False
    steps = trajectory["steps"]
    return _is_texts(trajectory.get("ignore_rules", [])) and all(
        isinstance(step, dict) and isinstance(step.get("args"), dict | None) for step in steps
    )


def is_plain_manifest(manifest: Any) -> bool:
    """True for a manifest without a structure error. False says nothing."""
    if not isinstance(manifest, dict):
        return False
    names = manifest.get("task_files")
    return (
        isinstance(names, list)
        and all(map(_is_filled, names))
        and _is_text(manifest.get("description", ""))
        and _is_text(manifest.get("task_subset", ""))
        and _is_text(manifest.get("trajectory", ""))
        and _is_text(manifest.get("recorded_for", ""))
        and _is_texts(manifest.get("ignore_rules", []))
    )

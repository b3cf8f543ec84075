"""JSON Schema (draft 2020-12) for tasks, trajectories and manifests, made from the oracle catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from agentbench_lsp.oracles.base import OracleSpec, Param, ParamKind, registered_specs

Schema = dict[str, Any]
DocumentKind = Literal["task", "trajectory", "manifest"]
Kind = DocumentKind | Literal["session"]  # a session has no schema of ours
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TASK_FIELDS: dict[str, str] = {
    "id": "Stable identifier.",
    "name": "Short title.",
    "description": "What this eval measures.",
    "prompt": "Instruction given to the agent.",
    "workspace": "Map of relative path to file contents; not empty.",
    "oracles": "The checks, run after the trajectory has been replayed; not empty.",
    "tags": "Optional labels.",
    "ignore_rules": "Codes of diagnostics that are silent in this file.",
}
_OPTIONAL_FIELDS = ("tags", "ignore_rules")
REQUIRED_TASK_FIELDS = tuple(name for name in TASK_FIELDS if name not in _OPTIONAL_FIELDS)
_STRING: Schema = {"type": "string"}
_NOT_BLANK: Schema = {"type": "string", "pattern": r"\S"}

_KINDS: dict[ParamKind, Schema] = {
    "workspace_path": {"type": "string", "minLength": 1},
    "regex": {"type": "string", "minLength": 1, "format": "regex"},
    "command": _NOT_BLANK,
    "seconds": {"type": "number", "minimum": 0},
    "string": _STRING,
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "string_list": {"type": "array", "items": _STRING},
}


def param_schema(param: Param) -> Schema:
    """Schema of one param's value."""
    schema = dict(_KINDS[param.kind])
    if param.description:
        schema["description"] = param.description
    if not param.required and param.default is not None:
        schema["default"] = param.default
    return schema


def oracle_schema(spec: OracleSpec) -> Schema:
    """Schema of one oracle of a known type. Params that the type does not know are accepted."""
    params = spec.params or ()
    return {
        "type": "object",
        "description": spec.doc,
        "properties": {"type": {"const": spec.type}, **{p.name: param_schema(p) for p in params}},
        "required": ["type", *spec.required],
    }


def task_frame_schema() -> Schema:
    """A task without what depends on an oracle's type."""
    described: dict[str, Schema] = {name: {"description": text} for name, text in TASK_FIELDS.items()}
    described["id"] |= _NOT_BLANK
    for name in ("name", "description", "prompt"):
        described[name] |= _STRING
    described["workspace"] |= {"type": "object", "minProperties": 1, "additionalProperties": _STRING}
    described["oracles"] |= {
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"type": "string", "minLength": 1}},
        },
    }
    for name in _OPTIONAL_FIELDS:
        described[name] |= {"type": "array", "items": _STRING}
    return {"type": "object", "properties": described, "required": list(REQUIRED_TASK_FIELDS)}


def task_schema(specs: Iterable[OracleSpec] | None = None) -> Schema:
    """The published schema of a task: editors without this server get the same structure checks from it."""
    specs = list(registered_specs().values() if specs is None else specs)
    schema = {"$schema": DRAFT, "title": "AgentBench task", **task_frame_schema()}
    items = schema["properties"]["oracles"]["items"]
    items["properties"]["type"]["enum"] = [spec.type for spec in specs]
    items["allOf"] = [
        {
            "if": {"properties": {"type": {"const": spec.type}}, "required": ["type"]},
            "then": oracle_schema(spec),
        }
        for spec in specs
    ]
    return schema


def trajectory_schema() -> Schema:
    """Schema of a trajectory. `type` and `tool` are free: what replay does not know it passes over."""
    step: Schema = {
        "type": "object",
        "properties": {
            "type": {"description": "`tool_call`, `file_edit`, `command` or a recorder's own."},
            "tool": {"description": "Name of the tool, such as `write_file`, `str_replace` or `bash`."},
            "args": {"type": ["object", "null"], "description": "Arguments of the call."},
        },
    }
    return {
        "$schema": DRAFT,
        "title": "AgentBench trajectory",
        "type": "object",
        "properties": {
            "metadata": {
                "type": ["object", "null"],
                "properties": {"cwd": {"type": ["string", "null"], "description": "Folder absolute paths are below."}},
                "description": "Agent, model, notes.",
            },
            "steps": {"type": "array", "items": step, "description": "What the agent did, in order."},
            "ignore_rules": {"type": "array", "items": _STRING, "description": TASK_FIELDS["ignore_rules"]},
        },
        "required": ["steps"],
    }


def manifest_schema() -> Schema:
    """Schema of a manifest: the tasks a gate evaluates, or another manifest that lists them."""
    return {
        "$schema": DRAFT,
        "title": "AgentBench manifest",
        "type": "object",
        "properties": {
            "description": _STRING,
            "task_files": {
                "type": "array",
                "items": _NOT_BLANK,
                "description": "Names in the tasks folder, in order.",
            },
            "task_subset": {
                "type": "string",
                "description": "Another manifest, relative to this one; it wins.",
            },
            "trajectory": {
                "type": "string",
                "description": "A recorded run on these tasks, relative to this manifest or a folder above it.",
            },
            "recorded_for": {"type": "string", "description": "The task file that the run was recorded for."},
            "ignore_rules": {"type": "array", "items": _STRING, "description": TASK_FIELDS["ignore_rules"]},
        },
        "anyOf": [
            {"required": ["task_files"]},
            {"required": ["task_subset"], "properties": {"task_subset": {"minLength": 1}}},
        ],
    }


def document_schema(kind: Kind) -> Schema:
    """The published schema of a kind of document; sessions have none, so theirs allows everything."""
    if kind == "session":
        return {"properties": {}}
    return {"task": task_schema, "trajectory": trajectory_schema, "manifest": manifest_schema}[kind]()

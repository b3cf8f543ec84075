"""The task format: JSON Schema, validation, loading (seed: `agentbench.dsl`)."""

from agentbench_lsp.dsl.errors import DocumentError, ValidationError
from agentbench_lsp.dsl.validator import validate_manifest_dict, validate_task_dict, validate_trajectory_dict

__all__ = [
    "DocumentError",
    "ValidationError",
    "validate_manifest_dict",
    "validate_task_dict",
    "validate_trajectory_dict",
]

"""What a step of an agent does to files: one file for each kind of edit."""

from agentbench_lsp.runner.edits.apply import EditReport, EditStatus, apply_edits, apply_step
from agentbench_lsp.runner.edits.base import FileEdit, Files, NotAppliedError, UnsupportedEditError

__all__ = [
    "EditReport",
    "EditStatus",
    "FileEdit",
    "Files",
    "NotAppliedError",
    "UnsupportedEditError",
    "apply_edits",
    "apply_step",
]

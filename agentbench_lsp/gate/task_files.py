"""Task files on disk: which of a folder's files are tasks, and loading them for an evaluation."""

from __future__ import annotations

import json
from pathlib import Path

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.document_kind import kind_by_content, shape_of
from agentbench_lsp.dsl.errors import ValidationError
from agentbench_lsp.dsl.loading import task_document
from agentbench_lsp.gate.manifest import GATE_MANIFEST
from agentbench_lsp.models.json_text import read_json, read_text
from agentbench_lsp.models.task import EvalTask

UNREADABLE = (OSError, ValueError, RecursionError)  # what loading a document may raise
# An oracle with such a fault fails and says why; the task's other oracles still answer.
TOLERATED = frozenset({"invalid-regex"})


def task_names(folder: Path) -> list[str]:
    """Names of the task files of a folder, sorted. Raises OSError where it cannot be read.

    Passed over: folders, hidden files, what is by its content a manifest or a trajectory. A file that is no
    readable JSON counts as a task: saying nothing would hide one.
    """
    return sorted(p.name for p in folder.iterdir() if p.name.endswith(".json") and _is_task(p))


def _is_task(path: Path) -> bool:
    if path.name.startswith(".") or path.name == GATE_MANIFEST or not path.is_file():
        return False
    try:
        shape = shape_of(read_json(path).value)
    except UNREADABLE:
        return True
    return shape is None or kind_by_content(shape) in (None, "task")


def load_task(path: Path, catalogue: Catalogue) -> EvalTask:
    """The task in a file, valid but for faults that only one oracle suffers from. Raises as `EvalTask.from_file`."""
    return EvalTask.from_dict(task_document(read_text(path), catalogue, TOLERATED))


def say(exc: BaseException) -> str:
    """A loading error without the file's name; the errors of an invalid document a line each."""
    if isinstance(exc, json.JSONDecodeError):
        return f"not valid JSON at line {exc.lineno}, column {exc.colno}: {exc.msg}"
    if isinstance(exc, UnicodeDecodeError):
        return f"not UTF-8 text (byte {exc.start})"
    if isinstance(exc, ValidationError):
        return "\n".join(["not a valid document", *map(str, exc.errors)])
    if isinstance(exc, OSError):
        return f"cannot be read: {exc.strerror or exc}"
    return str(exc)

"""Failed oracles of an evaluation, shown where they belong in the document as it is now.

A failure is tied to meaning, not to a range: to its oracle's content and the task's workspace. It moves with the
oracle, and is gone as soon as one of the two has changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agentbench_lsp.language.finding import Finding, Severity
from agentbench_lsp.language.structure import head
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.syntax.nodes import ObjectNode, to_value

CODE = "oracle-failed"


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed oracle. `param` is what to mark (None: the type), `step` the step of the trajectory it is about."""

    index: int
    oracle_type: str
    message: str
    oracle_key: str
    workspace_key: str
    param: str | None = None
    step: int | None = None


def oracle_key(oracle: OracleView) -> str:
    """The oracle's content, as text."""
    return json.dumps(to_value(oracle.node), sort_keys=True)


def workspace_key(task: TaskDocument) -> str:
    """A digest of the task's workspace."""
    root = task.document.root
    workspace = root.value_of("workspace") if isinstance(root, ObjectNode) else None
    return hashlib.sha256(json.dumps(to_value(workspace)).encode()).hexdigest()


def locate(task: TaskDocument, failures: Iterable[Failure]) -> Iterator[tuple[Failure, Finding]]:
    """Each failure that still holds, with its finding."""
    pending = list(failures)
    if not pending:
        return
    current = workspace_key(task)
    by_key: dict[str, list[OracleView]] = {}
    for oracle in task.oracles:
        by_key.setdefault(oracle_key(oracle), []).append(oracle)
    for failure in pending:
        candidates = by_key.get(failure.oracle_key, [])
        if failure.workspace_key != current or not candidates:
            continue
        oracle = next((o for o in candidates if o.index == failure.index), candidates[0])
        start, end = _range(oracle, failure.param)
        yield failure, Finding(CODE, Severity.ERROR, start, end, failure.message)


def _range(oracle: OracleView, param: str | None) -> tuple[int, int]:
    for name in (param, "type"):
        node = oracle.node.value_of(name) if name else None
        if node is not None:
            return head(node)
    return oracle.node.start, oracle.node.start + 1

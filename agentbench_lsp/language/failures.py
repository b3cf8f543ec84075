"""An evaluation found that this oracle fails for the trajectory it was run with.

## Why
The message is the oracle's own, the same as `agentbench run` prints. The related information leads to the step of the
trajectory after which the oracle no longer passed. The diagnostic moves with its oracle, and is gone as soon as the
oracle, the workspace or the trajectory has changed, or a later evaluation passes.

## Example
```json
{ "type": "file_not_modified", "path": "tests/test_calc.py" }
```
and a trajectory in which the agent edits that file.

## Fix
If the agent is at fault, nothing is wrong with the task. Otherwise correct the oracle, or the prompt that led there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.structure import head
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.syntax.nodes import ObjectNode, to_value

RULE = Rule("oracle-failed", Severity.ERROR, "The oracle failed in the last evaluation", ("task",))


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


def task_key(task: TaskDocument) -> str:
    """All that a verdict depends on, besides the trajectory."""
    return "\0".join([workspace_key(task), *map(oracle_key, task.oracles)])


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
        yield failure, RULE.at(start, end, failure.message)


def _range(oracle: OracleView, param: str | None) -> tuple[int, int]:
    for name in (param, "type"):
        node = oracle.node.value_of(name) if name else None
        if node is not None:
            return head(node)
    return oracle.node.start, oracle.node.start + 1

"""What an evaluation said of an oracle, and whether it still holds: it is tied to content, never to a place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.structure import head
from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.syntax.nodes import ObjectNode, to_value


@dataclass(frozen=True, slots=True)
class BlamedStep:
    """A step of the trajectory, by index, and what it has to do with the verdict."""

    step: int
    message: str
    proven: bool = True  # False: it is only the last edit there was


@dataclass(frozen=True, slots=True)
class Judgement:
    """A result of an oracle. `lines` explain it; `param` is what to mark (None: the type).

    `nearest` is a looser pattern that matches, and what it no longer insists on. `baseline` is the advice of a
    baseline for an oracle that passes and should not.
    """

    index: int
    oracle_type: str
    key: str
    passed: bool
    message: str
    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    param: str | None = None
    steps: tuple[BlamedStep, ...] = ()
    nearest: tuple[str, str] | None = None
    baseline: str | None = None

    @property
    def text(self) -> str:
        """The message with its explanation."""
        return "\n".join([self.message, *self.lines])


def trajectory_key(document: Document) -> str:
    """A key of all in a trajectory that verdicts depend on: its steps and what its paths are relative to."""
    import hashlib

    if document.kind == "session":
        return hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
    root = document.root
    steps = root.value_of("steps") if isinstance(root, ObjectNode) else None
    metadata = root.value_of("metadata") if isinstance(root, ObjectNode) else None
    root_of = metadata.value_of if isinstance(metadata, ObjectNode) else lambda name: None
    content = json.dumps([to_value(node) for node in (steps, root_of("cwd"), root_of("cwd_guessed"))])
    return hashlib.sha256(content.encode()).hexdigest()


def held(task: TaskDocument, judgements: Iterable[Judgement]) -> Iterator[tuple[Judgement, OracleView]]:
    """Each judgement that still holds, with the oracle it is of, wherever that stands now."""
    pending = list(judgements)
    if not pending:
        return
    by_key: dict[str, list[OracleView]] = {}
    for oracle, key in zip(task.oracles, task.oracle_keys, strict=True):
        by_key.setdefault(key, []).append(oracle)
    for judgement in pending:
        candidates = by_key.get(judgement.key)
        if candidates:
            yield judgement, next((o for o in candidates if o.index == judgement.index), candidates[0])


def telling_range(oracle: OracleView, param: str | None) -> tuple[int, int]:
    """The range of a param's value, else of the type, else of the oracle's bracket."""
    for name in (param, "type"):
        node = oracle.node.value_of(name) if name else None
        if node is not None:
            return head(node)
    return oracle.node.start, oracle.node.start + 1

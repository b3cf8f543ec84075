"""A trajectory document: where its steps stand."""

from __future__ import annotations

from agentbench_lsp.language.document import Document
from agentbench_lsp.syntax.nodes import ObjectNode


def step_range(document: Document, step: int) -> tuple[int, int]:
    """Range that stands for a step: its tool, else its type, else its first character. The start if it is not there."""
    _, node = document.find(("steps", step))
    if not isinstance(node, ObjectNode):
        return 0, 0
    for name in ("tool", "type"):
        value = node.value_of(name)
        if value is not None:
            return value.start, value.end
    return node.start, node.start + 1

"""What is not written and yet counts: default values, how often a pattern matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.pattern_search import spans
from agentbench_lsp.language.surroundings import MOST_MATCHES
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A label behind an offset."""

    offset: int
    label: str
    tooltip: str


def inlay_hints(view: DocumentView, start: int, end: int) -> Iterator[InlayHint]:
    """Hints between two offsets."""
    if not isinstance(view, TaskDocument):
        return
    for oracle in view.oracles:
        if oracle.node.end < start or oracle.node.start > end or oracle.spec is None:
            continue
        required = [oracle.node.value_of(p.name) for p in oracle.spec.params or () if p.required]
        last = max((node.end for node in required if node), default=None)
        for param in oracle.spec.params or ():
            if param.kind == "seconds" and param.default is not None and last and oracle.node.get(param.name) is None:
                label = f"{param.name}: {json_text(param.default)} s"
                yield InlayHint(last, label, f"Default of `{param.name}`. {param.description}")
    for pattern in view.patterns:
        if pattern.node.end < start or pattern.node.start > end:
            continue
        found = spans(pattern, view.around)
        if found is not None:
            more = "+" if len(found) >= MOST_MATCHES else ""
            word = "match" if len(found) == 1 else "matches"
            label = f"{len(found)}{more} {word}" if found else "no match"
            yield InlayHint(pattern.node.end, label, "In the workspace file as it is now")

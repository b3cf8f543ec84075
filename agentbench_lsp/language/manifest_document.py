"""A manifest document: the names it lists."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.dsl.structure import manifest_errors
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.models.paths import fold
from agentbench_lsp.syntax.nodes import ArrayNode, StringNode


@dataclass(frozen=True)
class ManifestDocument(DocumentView):
    """Typed views over the tree of a manifest."""

    @cached_property
    def errors(self) -> list[DocumentError]:
        return manifest_errors(self.value)

    @cached_property
    def entries(self) -> list[StringNode]:
        """The names in `task_files`."""
        names = self.field("task_files")
        return [n for n in names.items if isinstance(n, StringNode)] if isinstance(names, ArrayNode) else []

    def find(self, name: str) -> str | None:
        """Path of a task file that is named: beside the manifest or in a folder `tasks`; None where it is not there."""
        candidates = (fold(name), f"../tasks/{fold(name)}", f"tasks/{fold(name)}")
        return next((path for path in candidates if self.around.exists(path)), None)

    @property
    def subset(self) -> StringNode | None:
        """The name of the manifest that this one refers to."""
        node = self.field("task_subset")
        return node if isinstance(node, StringNode) and node.value else None

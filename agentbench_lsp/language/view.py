"""A document with all that is needed to judge it. Typed views of each kind of document are made of this one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.surroundings import NOWHERE, Surroundings
from agentbench_lsp.oracles.base import OracleSpec
from agentbench_lsp.syntax.nodes import Node, ObjectNode, StringNode, to_value


@dataclass(frozen=True)
class DocumentView:
    """`specs` are the oracle types that may be named."""

    document: Document
    specs: Mapping[str, OracleSpec]
    around: Surroundings = NOWHERE

    @cached_property
    def errors(self) -> list[DocumentError]:
        """What validation says of the document, except for what is not written yet."""
        return []

    @cached_property
    def value(self) -> Any:
        """The plain value."""
        return to_value(self.document.root)

    @property
    def root_object(self) -> ObjectNode | None:
        root = self.document.root
        return root if isinstance(root, ObjectNode) else None

    def field(self, name: str) -> Node | None:
        """The value of a field of the document."""
        prop = self.document.field(name)
        return prop.value if prop else None

    def text_of(self, name: str) -> str | None:
        """A field's value where it is a text."""
        node = self.field(name)
        return node.value if isinstance(node, StringNode) else None

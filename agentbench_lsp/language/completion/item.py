"""A proposal, and what the providers of proposals share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.place import place_at
from agentbench_lsp.language.snippet import escape
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.cursor import Cursor
from agentbench_lsp.syntax.nodes import ObjectNode, StringNode, walk

ItemKind = Literal["field", "oracle-type", "param", "file", "value", "snippet", "command", "pattern"]


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal: `snippet` replaces the text from `start` to `end`; `insert` is put at an offset before that."""

    label: str
    kind: ItemKind
    snippet: str
    start: int
    end: int
    filter_text: str
    detail: str = ""
    documentation: str = ""
    insert: tuple[int, str] | None = None


@dataclass(frozen=True)
class Request:
    """A document and the place that something is to be written at."""

    view: DocumentView
    cursor: Cursor

    @cached_property
    def at_key(self) -> bool:
        """True where a key may be written."""
        return self.cursor.expects in ("key", "comma") and self.in_object

    @cached_property
    def in_object(self) -> bool:
        start = self.cursor.container_start
        return start is not None and self.view.document.text[start] != "["

    @property
    def at_item(self) -> bool:
        """True where an item of a list may be written."""
        return self.cursor.expects in ("item", "comma") and not self.in_object

    @cached_property
    def container(self) -> ObjectNode | None:
        """The object around the cursor."""
        start = self.cursor.container_start
        nodes = (n for n in walk(self.view.document.root) if isinstance(n, ObjectNode) and n.start == start)
        return next(nodes, None)

    @cached_property
    def present(self) -> set[str]:
        """Keys that the object around the cursor has already, except the one that is being written."""
        properties = self.container.properties if self.container else []
        return {p.key.value for p in properties if p.key.start != self.cursor.start}

    def item(
        self,
        label: str,
        kind: ItemKind,
        snippet: str,
        detail: str = "",
        documentation: str = "",
        filter_text: str | None = None,
    ) -> Completion:
        """A proposal for the text at the cursor."""
        cursor = self.cursor
        # Editors filter by the text that is replaced, which begins with the quote where one is written.
        filtered = label if filter_text is None else filter_text
        if cursor.in_string:
            filtered = json_text(filtered)
        end = self.end_of_string if kind in ("command", "pattern", "file", "value") else cursor.end
        return Completion(label, kind, snippet, cursor.start, end, filtered, detail, documentation)

    def text(
        self, text: str, kind: ItemKind, detail: str = "", documentation: str = "", label: str | None = None
    ) -> Completion:
        """A proposal for a JSON text, which is found by what is typed of it or of its label."""
        filtered = text if label is None or "\\" in self.cursor.typed else label
        return self.item(label or text, kind, escape(json_text(text)), detail, documentation, filtered)

    @cached_property
    def end_of_string(self) -> int:
        """End of the string at the cursor. Where the document is sound, that is all of it, blanks included."""
        if self.cursor.in_string and not self.view.document.parsed.faults:
            node = place_at(self.view.document, self.cursor.start).node
            if isinstance(node, StringNode) and node.start == self.cursor.start:
                return node.end
        return self.cursor.end


Provider = Callable[[Request], Iterator[Completion]]

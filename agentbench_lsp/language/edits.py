"""Changes to a document that keep its look: items and properties are added and removed with their commas and lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Edit
from agentbench_lsp.syntax import json_string
from agentbench_lsp.syntax.nodes import ArrayNode, Node, ObjectNode, PropertyNode

_INDENT = "  "
Child = Node | PropertyNode


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap; their offsets are those of the text before."""
    parts, at = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def json_text(value: Any) -> str:
    """A value as it stands in a document, on one line."""
    return json_string.dump(value)


def children(container: ObjectNode | ArrayNode) -> list[Child]:
    """Properties or items."""
    return list(container.properties) if isinstance(container, ObjectNode) else list(container.items)


def line_indent(document: Document, offset: int) -> str:
    """The blanks that begin the line of an offset."""
    line = document.lines.line(document.lines.position(offset).line)
    return line[: len(line) - len(line.lstrip(" \t"))]


def begins_line(document: Document, offset: int) -> bool:
    """True where only blanks stand before an offset on its line."""
    place = document.lines.position(offset)
    return not document.lines.line(place.line)[: place.column].strip()


def line_break(document: Document) -> str:
    """What ends the lines of a document."""
    return "\r\n" if "\r\n" in document.text else "\n"


def append(document: Document, container: ObjectNode | ArrayNode, text: str) -> Edit:
    """Add a child at the end of a container; lines of `text` after its first are indented like the child."""
    text = text.replace("\n", line_break(document))
    last = children(container)[-1:]
    if last:
        after = document.text[last[0].end : container.end].lstrip()
        comma = "" if after.startswith(",") else ","
        at = last[0].end if comma else document.text.index(",", last[0].end) + 1
        if begins_line(document, last[0].start):
            indent = line_break(document) + line_indent(document, last[0].start)
            return Edit(at, at, comma + indent + text.replace(line_break(document), indent))
        return Edit(at, at, f"{comma} {text.replace(line_break(document), ' ')}")
    at = container.start + 1
    outer = line_break(document) + line_indent(document, container.start)
    inner = outer + _INDENT
    return Edit(at, container.end - container.closed, inner + text.replace(line_break(document), inner) + outer)


def remove(document: Document, container: ObjectNode | ArrayNode, child: Child) -> Edit:
    """Remove a child with its comma, and with its lines where it has lines of its own."""
    siblings = children(container)
    index = next(i for i, sibling in enumerate(siblings) if sibling is child)
    if index + 1 < len(siblings):
        return Edit(child.start, siblings[index + 1].start, "")
    if index:
        return Edit(siblings[index - 1].end, child.end, "")
    return Edit(container.start + 1, container.end - container.closed, "")


def oracle_text(document: Document, oracle: Mapping[str, Any], siblings: list[ObjectNode]) -> str:
    """An oracle, written in one line or several as the last of its siblings is."""
    last = siblings[-1] if siblings else None
    if last is not None and "\n" in document.text[last.start : last.end]:
        return json.dumps(oracle, ensure_ascii=False, indent=_indent_width(document))
    return "{ " + json_text(oracle)[1:-1] + " }"


def add_oracle(document: Document, oracle: Mapping[str, Any]) -> Edit | None:
    """Add an oracle at the end of `oracles`; None where there is no such list."""
    _, oracles = document.find(("oracles",))
    if not isinstance(oracles, ArrayNode):
        return None
    objects = [item for item in oracles.items if isinstance(item, ObjectNode)]
    return append(document, oracles, oracle_text(document, oracle, objects))


def add_to_list_field(document: Document, name: str, value: str) -> Edit | None:
    """Add a text to a list of texts that is a field of the document, which is made if it is not there."""
    if not isinstance(document.root, ObjectNode):
        return None
    node = document.root.value_of(name)
    if isinstance(node, ArrayNode):
        return append(document, node, json_text(value))
    if document.root.get(name) is not None:
        return None
    return append(document, document.root, f"{json_text(name)}: [{json_text(value)}]")


def _indent_width(document: Document) -> int:
    """Width of one level, as the document's first field shows it."""
    root = document.root
    if isinstance(root, ObjectNode) and root.properties and begins_line(document, root.properties[0].start):
        return len(line_indent(document, root.properties[0].start).expandtabs(2)) or 2
    return 2

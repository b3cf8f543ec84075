"""From the structure errors of `dsl` to ranges: what the rules about structure share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Check, Finding, Fix, Rule
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import LiteralNode, Node, ObjectNode, StringNode

_ON_KEY = frozenset({"path-collision", "file-and-folder", "invalid-path", "path-escapes-workspace"})
_MISSING = frozenset({"missing-field", "missing-param", "missing-oracle-type"})


Fixer = Callable[[DocumentView, DocumentError], Iterable[Fix]]


def structure_check(rule: Rule, fixes: Fixer = lambda view, error: ()) -> Check:
    """A check that gives the structure errors with the rule's code, each on its range, with its fixes."""

    def check(view: DocumentView) -> Iterator[Finding]:
        for error in view.errors:
            if error.code == rule.code and (where := error_range(view.document, error)):
                yield rule.at(*where, error.message, fixes=fixes(view, error))

    return check


def error_range(document: Document, error: DocumentError) -> tuple[int, int] | None:
    """Range of an error; None where the text there is broken, which a syntax error says already."""
    owner, node = document.find(error.location)
    if error.code in _MISSING and (node is None or (error.location[0] in document.meant and len(error.location) == 1)):
        if owner is not None and node is None:
            return None  # its key is written, only the value is not yet
        return _opening(document, error)
    if isinstance(node, LiteralNode) and not node.valid:
        return None
    if error.code in _ON_KEY and owner is not None:
        return owner.key.start, owner.key.end
    return None if node is None else head(node)


def _opening(document: Document, error: DocumentError) -> tuple[int, int] | None:
    """What stands for an object that lacks something: an oracle's type, else the object's first character."""
    _, parent = document.find(error.location[:-1])
    if parent is None:
        return None
    if error.code == "missing-param" and isinstance(parent, ObjectNode):
        type_node = parent.value_of("type")
        if type_node is not None:
            return type_node.start, type_node.end
    return parent.start, parent.start + 1


def head(node: Node) -> tuple[int, int]:
    """Range of a value: all of a text or word, the opening bracket of what has children."""
    if isinstance(node, StringNode | LiteralNode):
        return node.start, node.end
    children = node.properties if isinstance(node, ObjectNode) else node.items
    return (node.start, node.start + 1) if children else (node.start, node.end)

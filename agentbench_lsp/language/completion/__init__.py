"""Completion: what may be written at a place of a document, however broken the rest is.

Each module here provides the proposals of one part of a document; they are asked in the order of `_PROVIDERS`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import replace

from agentbench_lsp.language.completion import fields, manifests, oracles, trajectories, values
from agentbench_lsp.language.completion.item import Completion, ItemKind, Provider, Request
from agentbench_lsp.language.diagnostics import view_of
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.surroundings import NOWHERE, Surroundings
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.oracles.base import OracleSpec
from agentbench_lsp.syntax.cursor import Cursor, cursor_at

__all__ = ["Completion", "ItemKind", "complete", "complete_in"]

_log = logging.getLogger(__name__)
_MORE = re.compile(r'\s*["{]')
_PROVIDERS: tuple[Provider, ...] = (
    fields.provide,
    oracles.provide,
    values.provide,
    manifests.provide,
    trajectories.provide,
)


def complete(
    document: Document, offset: int, specs: Mapping[str, OracleSpec], around: Surroundings = NOWHERE
) -> list[Completion]:
    """Proposals at an offset, the best first; none in documents that are not ours."""
    view = view_of(document, specs, around)
    return [] if view is None else complete_in(view, offset)


def complete_in(view: DocumentView, offset: int) -> list[Completion]:
    """Proposals at an offset of a document. A provider that crashes is logged, not raised."""
    cursor = cursor_at(view.document.text, offset, view.document.parsed.tokens)
    if cursor is None:
        return []
    meant = {prop.key.value: name for name, prop in view.document.meant.items()}
    if cursor.path and cursor.path[0] in meant:  # the key is misspelled, and what stands below it is not
        cursor = replace(cursor, path=(meant[str(cursor.path[0])], *cursor.path[1:]))
    request = Request(view, cursor)
    items: list[Completion] = []
    for provide in _PROVIDERS:
        try:
            items += provide(request)
        except Exception:  # noqa: BLE001 - one provider must not silence the others
            _log.exception("completion by %s crashed", provide.__module__)
    return [_fitted(item, cursor, view.document.text) for item in items]


def _fitted(item: Completion, cursor: Cursor, text: str) -> Completion:
    """The proposal with the commas its place needs: after what stands before it, and before what follows."""
    if cursor.expects == "comma" and cursor.previous_end > 0:
        item = replace(item, insert=(cursor.previous_end, ","))
    if _MORE.match(text, item.end):
        item = replace(item, snippet=item.snippet + ",")
    return item

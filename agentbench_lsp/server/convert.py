"""From values of `language` to LSP's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from agentbench_lsp.language.completion import Completion, ItemKind
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Edit, Finding, Fix, Severity
from agentbench_lsp.language.snippet import plain
from agentbench_lsp.project.rule_pages import page_uri
from agentbench_lsp.server.client import Client
from agentbench_lsp.server.positions import Encoding, range_of

SOURCE = "agentbench"
_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_ITEM_KIND: dict[ItemKind, types.CompletionItemKind] = {
    "field": types.CompletionItemKind.Field,
    "oracle-type": types.CompletionItemKind.Class,
    "param": types.CompletionItemKind.Property,
    "file": types.CompletionItemKind.File,
    "value": types.CompletionItemKind.Value,
    "snippet": types.CompletionItemKind.Snippet,
    "command": types.CompletionItemKind.Function,
    "pattern": types.CompletionItemKind.Text,
}


def diagnostic(
    document: Document, finding: Finding, encoding: Encoding, client: Client, uri: str = ""
) -> types.Diagnostic:
    """A finding as a diagnostic. Its fixes travel in `data`, with edits in the client's units."""
    found = types.Diagnostic(
        range=range_of(document.lines, finding.start, finding.end, encoding),
        message=finding.message,
        severity=_SEVERITY[finding.severity],
        code=finding.code,
        source=SOURCE,
    )
    if client.code_description and (href := page_uri(finding.code)):
        found.code_description = types.CodeDescription(href)
    if client.diagnostic_data and finding.fixes:
        found.data = {"fixes": [_fix(document, fix, encoding) for fix in finding.fixes]}
    if client.related_information and finding.related:
        found.related_information = [
            types.DiagnosticRelatedInformation(
                types.Location(uri, range_of(document.lines, related.start, related.end, encoding)), related.message
            )
            for related in finding.related
        ]
    return found


def _fix(document: Document, fix: Fix, encoding: Encoding) -> dict[str, Any]:
    edits = [
        {"range": _plain_range(edit.range), "newText": edit.new_text}
        for edit in text_edits(document, fix.edits, encoding)
    ]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _plain_range(where: types.Range) -> dict[str, Any]:
    return {
        name: {"line": position.line, "character": position.character}
        for name, position in (("start", where.start), ("end", where.end))
    }


def text_edits(document: Document, edits: Iterable[Edit], encoding: Encoding) -> list[types.TextEdit]:
    """Edits in the client's units, in document order."""
    ordered = sorted(edits, key=lambda e: (e.start, e.end))
    return [types.TextEdit(range_of(document.lines, e.start, e.end, encoding), e.text) for e in ordered]


def workspace_edit(uri: str, version: int | None, edits: list[types.TextEdit], client: Client) -> types.WorkspaceEdit:
    """Edits of one document; with its version, where the client can see to it that they fit."""
    if client.versioned_edits:
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, list(edits))])
    return types.WorkspaceEdit(changes={uri: edits})


def completion_item(
    document: Document, item: Completion, order: int, encoding: Encoding, client: Client, data: Any = None
) -> types.CompletionItem:
    """A proposal as a completion item, in the forms the client understands. With `data` it is documented later."""
    edit = types.TextEdit(
        range=range_of(document.lines, item.start, item.end, encoding),
        new_text=item.snippet if client.snippets else plain(item.snippet),
    )
    extra = None
    if item.insert is not None:
        offset, text = item.insert
        extra = [types.TextEdit(range_of(document.lines, offset, offset, encoding), text)]
    return types.CompletionItem(
        label=item.label,
        kind=_ITEM_KIND[item.kind],
        detail=item.detail or None,
        documentation=None if data is not None else documentation(item, client),
        sort_text=f"{order:04}",
        filter_text=item.filter_text,
        text_edit=edit,
        additional_text_edits=extra,
        insert_text_format=types.InsertTextFormat.Snippet if client.snippets else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AdjustIndentation if client.adjusts_indentation else None,
        data=data,
    )


def documentation(item: Completion, client: Client) -> types.MarkupContent | str | None:
    """What a proposal is, in the form the client understands."""
    if item.documentation and client.markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, item.documentation)
    return item.documentation or None

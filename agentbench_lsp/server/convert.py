"""From values of `language` to LSP's."""

from __future__ import annotations

from lsprotocol import types

from agentbench_lsp.language.completion import Completion, ItemKind
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Finding, Severity
from agentbench_lsp.language.snippet import plain
from agentbench_lsp.server.client import Client
from agentbench_lsp.server.positions import Encoding, range_of

SOURCE = "agentbench"
_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
}
_ITEM_KIND: dict[ItemKind, types.CompletionItemKind] = {
    "field": types.CompletionItemKind.Field,
    "oracle-type": types.CompletionItemKind.Class,
    "param": types.CompletionItemKind.Property,
    "file": types.CompletionItemKind.File,
    "value": types.CompletionItemKind.Value,
}


def diagnostic(document: Document, finding: Finding, encoding: Encoding) -> types.Diagnostic:
    """A finding as a diagnostic."""
    return types.Diagnostic(
        range=range_of(document.lines, finding.start, finding.end, encoding),
        message=finding.message,
        severity=_SEVERITY[finding.severity],
        code=finding.code,
        source=SOURCE,
    )


def completion_item(
    document: Document, item: Completion, order: int, encoding: Encoding, client: Client
) -> types.CompletionItem:
    """A proposal as a completion item, in the forms the client understands."""
    edit = types.TextEdit(
        range=range_of(document.lines, item.start, item.end, encoding),
        new_text=item.snippet if client.snippets else plain(item.snippet),
    )
    extra = None
    if item.insert is not None:
        offset, text = item.insert
        extra = [types.TextEdit(range_of(document.lines, offset, offset, encoding), text)]
    documentation: types.MarkupContent | str | None = item.documentation or None
    if item.documentation and client.markdown:
        documentation = types.MarkupContent(types.MarkupKind.Markdown, item.documentation)
    return types.CompletionItem(
        label=item.label,
        kind=_ITEM_KIND[item.kind],
        detail=item.detail or None,
        documentation=documentation,
        sort_text=f"{order:04}",
        filter_text=item.filter_text,
        text_edit=edit,
        additional_text_edits=extra,
        insert_text_format=types.InsertTextFormat.Snippet if client.snippets else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AdjustIndentation if client.adjusts_indentation else None,
    )

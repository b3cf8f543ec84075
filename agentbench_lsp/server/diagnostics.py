"""When diagnostics are computed and how they reach the client: pushed, or pulled, never both."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING

from lsprotocol import types

from agentbench_lsp.language.diagnostics import diagnose
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.server import convert
from agentbench_lsp.server.documents import OpenDocument

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_LARGE = 200_000  # characters; checking less than that is over before the next key is pressed
_LARGE_DELAY = 0.03  # seconds


class Diagnostics:
    """Diagnostics of the open documents."""

    def __init__(self, server: AgentBenchServer) -> None:
        self._server = server
        self._pending: dict[str, asyncio.TimerHandle] = {}

    def compute(self, opened: OpenDocument) -> list[types.Diagnostic]:
        """Findings, and what the last evaluation found."""
        server, document = self._server, opened.snapshot
        if document.kind is None:
            return []
        encoding, specs = server.documents.encoding, server.specs(opened.uri)
        found = [
            convert.diagnostic(document, finding, encoding)
            for finding in diagnose(document, specs)
            if server.client.syntax_errors or finding.code != "json-syntax"
        ]
        if document.kind == "task":
            task = TaskDocument(document, specs)
            found += server.results.diagnostics(opened.uri, task, encoding, server.client.related_information)
        return found

    def changed(self, opened: OpenDocument) -> None:
        """A document has a new text or new results: see that the client gets its diagnostics."""
        if self._server.client.pulls:
            return
        self._cancel(opened.uri)
        delay = _LARGE_DELAY if opened.is_large(_LARGE) else 0.0
        loop = asyncio.get_running_loop()
        self._pending[opened.uri] = loop.call_later(delay, self._publish, opened.uri)

    def closed(self, uri: str) -> None:
        """A document is gone: clear what was pushed."""
        self._cancel(uri)
        if not self._server.client.pulls:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def results_changed(self, uris: list[str]) -> None:
        """Evaluations of these tasks have ended or no longer hold."""
        for uri in uris:
            if opened := self._server.documents.get(uri):
                self.changed(opened)
        if uris and self._server.client.pulls:
            self._server.workspace_diagnostic_refresh(None)

    def _cancel(self, uri: str) -> None:
        if handle := self._pending.pop(uri, None):
            handle.cancel()

    def _publish(self, uri: str) -> None:
        self._pending.pop(uri, None)
        if opened := self._server.documents.get(uri):
            params = types.PublishDiagnosticsParams(uri, self.compute(opened), opened.version)
            self._server.text_document_publish_diagnostics(params)

    def pull(self, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        """Answer `textDocument/diagnostic`."""
        opened = self._server.documents.get(params.text_document.uri)
        items = self.compute(opened) if opened else []
        result_id = hashlib.sha256(repr(items).encode("utf-8", "replace")).hexdigest()[:16]
        if params.previous_result_id == result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
        return types.RelatedFullDocumentDiagnosticReport(items, result_id=result_id)

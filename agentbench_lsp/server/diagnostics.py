"""When diagnostics are computed and how they reach the client: pushed, or pulled, never both."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from agentbench_lsp.language.finding import Finding
from agentbench_lsp.server import convert
from agentbench_lsp.server.documents import OpenDocument, uri_key
from agentbench_lsp.server.verdict_diagnostics import verdict_diagnostics

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_LARGE = 200_000  # characters; checking less than that is over before the next key is pressed
_LARGE_DELAY = 0.03  # seconds


class Diagnostics:
    """Diagnostics of the open documents."""

    def __init__(self, server: AgentBenchServer) -> None:
        self._server = server
        self._pending: dict[str, asyncio.TimerHandle | asyncio.Task[None]] = {}
        self._pulled: dict[str, str] = {}  # ids of what was answered last
        # Keys of documents of which a client that pulls was last told something. VS Code forgets the id of what it
        # shows when a tab is closed, and then relies on the workspace's report to take it away.
        self.told: set[str] = set()
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}

    def compute(self, opened: OpenDocument) -> list[types.Diagnostic]:
        """Findings, and what the last evaluation found."""
        server, document = self._server, opened.snapshot
        view = server.analysis.view(opened)
        if view is None:
            return []
        encoding, client = server.documents.encoding, server.client
        reports_syntax = server.configuration.syntax_errors and opened.language not in client.syntax_elsewhere
        found = [
            convert.diagnostic(document, finding, encoding, client, opened.uri)
            for finding in shown(server.analysis.findings(opened), reports_syntax)
        ]
        found += verdict_diagnostics(server, opened, view)
        return found

    async def compute_settled(self, opened: OpenDocument) -> list[types.Diagnostic]:
        """The same, once the facts are there that it asked for."""
        found = self.compute(opened)
        if not self._server.analysis.pending:
            return found
        await self._server.analysis.settle()
        return self.compute(opened)

    def changed(self, opened: OpenDocument, only_news: bool = False) -> None:
        """A document has a new text or new results: see that the client gets its diagnostics.

        `only_news`: not again those that it has.
        """
        if self._server.client.pulls:
            return
        self._cancel(opened.uri)
        delay = _LARGE_DELAY if opened.is_large(_LARGE) else 0.0
        loop = asyncio.get_running_loop()
        self._pending[uri_key(opened.uri)] = loop.call_later(delay, self._publish, opened, only_news)

    def closed(self, uri: str) -> None:
        """A document is gone: clear what was pushed."""
        self._cancel(uri)
        self._published.pop(uri_key(uri), None)
        self._pulled.pop(uri_key(uri), None)
        if not self._server.client.pulls:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def results_changed(self, uris: list[str]) -> None:
        """Evaluations of these tasks have ended or no longer hold."""
        for uri in uris:
            if opened := self._server.documents.get(uri):
                self.changed(opened)
        if uris:
            self.refresh()

    def facts_changed(self) -> None:
        """What documents are judged by has changed: judge them again, and tell what is different."""
        if self._server.client.pulls:
            if any(self._is_news(opened) for opened in self._server.documents):
                self.refresh()
            return
        for opened in self._server.documents:
            if uri_key(opened.uri) not in self._pending:
                self.changed(opened, only_news=True)

    def tell(self, uri: str, items: list[types.Diagnostic]) -> None:
        """Note what a client that pulls is told of a document."""
        if items:
            self.told.add(uri_key(uri))
        else:
            self.told.discard(uri_key(uri))

    def _is_news(self, opened: OpenDocument) -> bool:
        """True where a client that pulls was told something else."""
        told = self._pulled.get(uri_key(opened.uri))
        return told is not None and told != digest(self.compute(opened))

    def refresh(self) -> None:
        """Have a client that pulls ask again."""
        if self._server.client.pulls:
            self._server.workspace_diagnostic_refresh(None)

    def _cancel(self, uri: str) -> None:
        if handle := self._pending.pop(uri_key(uri), None):
            handle.cancel()

    def _publish(self, opened: OpenDocument, only_news: bool) -> None:
        key = uri_key(opened.uri)
        self._pending.pop(key, None)
        found = self.compute(opened)
        if self._server.analysis.pending:
            self._pending[key] = asyncio.get_running_loop().create_task(self._publish_settled(opened, only_news))
        else:
            self._send(opened, found, only_news)

    async def _publish_settled(self, opened: OpenDocument, only_news: bool) -> None:
        version = opened.version
        await self._server.analysis.settle()
        found = self.compute(opened)
        if opened.version == version and self._server.documents.get(opened.uri) is opened:
            self._send(opened, found, only_news)
        self._pending.pop(uri_key(opened.uri), None)

    def _send(self, opened: OpenDocument, found: list[types.Diagnostic], only_news: bool) -> None:
        key, sent = uri_key(opened.uri), (opened.version, found)
        if not only_news or self._published.get(key) != sent:
            self._published[key] = sent
            params = types.PublishDiagnosticsParams(opened.uri, found, opened.version)
            self._server.text_document_publish_diagnostics(params)

    async def pull(self, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        """Answer `textDocument/diagnostic`."""
        opened = self._server.documents.get(params.text_document.uri)
        items = await self.compute_settled(opened) if opened else []
        result_id = digest(items)
        self._pulled[uri_key(params.text_document.uri)] = result_id
        self.tell(params.text_document.uri, items)
        if params.previous_result_id == result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
        return types.RelatedFullDocumentDiagnosticReport(items, result_id=result_id)


def shown(findings: Iterable[Finding], reports_syntax: bool) -> Iterator[Finding]:
    """Without syntax errors, where the editor reports them itself. (Their fixes are offered all the same.)"""
    return (f for f in findings if reports_syntax or f.code != "json-syntax")


def digest(items: list[types.Diagnostic]) -> str:
    """What tells one list of diagnostics from another."""
    return hashlib.sha256(repr(items).encode("utf-8", "replace")).hexdigest()[:16]

"""The server: what it can do, and which function of `language` answers what."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from agentbench_lsp import __version__
from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import ProjectError, find_project
from agentbench_lsp.language.completion import complete
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.oracles.base import OracleSpec
from agentbench_lsp.server import convert
from agentbench_lsp.server.client import Client, watch_process
from agentbench_lsp.server.diagnostics import Diagnostics
from agentbench_lsp.server.documents import Documents, file_path
from agentbench_lsp.server.evaluation import REQUEST_FAILED, evaluate, read_request
from agentbench_lsp.server.positions import offset_at
from agentbench_lsp.server.protocol import Protocol, lenient_converter
from agentbench_lsp.server.results import Results

_log = logging.getLogger(__name__)
EVALUATE = "agentbench.evaluate"
_STOP_SECONDS = 5.0


class AgentBenchServer(LanguageServer):
    """A pygls server with our protocol and the state of one client."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(
            "agentbench-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            converter_factory=lenient_converter,
        )
        self.client = Client()
        self.diagnostics = Diagnostics(self)
        self.results = Results()
        self._specs: dict[Path, Mapping[str, OracleSpec]] = {}
        self._work: set[asyncio.Task[Any]] = set()
        _register(self)

    @property
    def documents(self) -> Documents:
        return self.protocol.documents

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log: pygls would show every error to the user."""
        if not isinstance(error, JsonRpcException):
            _log.error("%s: %s", getattr(source, "__name__", source), error)

    def specs(self, uri: str) -> Mapping[str, OracleSpec]:
        """The oracle types known where a document is. Custom ones are read from their source, never run."""
        path = file_path(uri)
        folder = path.parent if path else Path()
        if folder not in self._specs:
            try:
                catalogue = Catalogue(find_project(folder) if path else None)
            except ProjectError as exc:
                self.window_log_message(types.LogMessageParams(types.MessageType.Error, str(exc)))
                catalogue = Catalogue()
            self._specs[folder] = dict(catalogue)
        return self._specs[folder]

    def forget_specs(self) -> None:
        """Read the projects' oracles anew when they are needed next."""
        self._specs.clear()

    async def evaluate(self, argument: object) -> Any:
        """Evaluate, keep what was found, and give back the report. Raises JsonRpcException."""
        if not self.client.trusted:
            raise JsonRpcException("the workspace is not trusted, so nothing of it is run", REQUEST_FAILED)
        request = read_request(argument, self.documents)
        task = asyncio.current_task()
        if task is not None:
            self._work.add(task)
            task.add_done_callback(self._work.discard)
        event = await evaluate(request)
        recorded = self.documents.get(request.trajectory_uri)
        if recorded is None or recorded.snapshot.text == request.trajectory.text:
            self.results.store(request, event, TaskDocument(request.task, self.specs(request.task_uri)))
            self.diagnostics.results_changed([request.task_uri])
        return event["report"]

    async def stop_work(self) -> None:
        """Cancel what is running and wait until its processes are gone."""
        for task in list(self._work):
            if not task.cancelling():  # a second time would cut its cleaning up short
                task.cancel()
        if self._work:
            await asyncio.wait(self._work, timeout=_STOP_SECONDS)


def create_server() -> AgentBenchServer:
    """A server that has not been started."""
    return AgentBenchServer()


def _register(server: AgentBenchServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.client = Client.of(params)
        server.documents.encoding = server.workspace.position_encoding or types.PositionEncodingKind.Utf16
        if server.client.pulls:
            _register_pull(server)
        if params.process_id is not None:
            watch_process(params.process_id, lambda: server.protocol.client_died())

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.forget_specs()
        _changed(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        _changed(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.forget_specs()
        _changed(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.diagnostics.closed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=['"', ":", "/"]))
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        opened = server.documents.get(params.text_document.uri)
        if opened is None:
            return []
        document, encoding = opened.snapshot, server.documents.encoding
        items = complete(document, offset_at(document.lines, params.position, encoding), server.specs(opened.uri))
        return [convert.completion_item(document, item, i, encoding, server.client) for i, item in enumerate(items)]

    @server.command(EVALUATE)
    async def run_evaluation(*arguments: Any) -> Any:
        if len(arguments) != 1:
            raise JsonRpcInvalidParams(f"{EVALUATE} takes one argument, not {len(arguments)}")
        return await server.evaluate(arguments[0])


def _register_pull(server: AgentBenchServer) -> None:
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    def pull(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        return server.diagnostics.pull(params)


def _changed(server: AgentBenchServer, uri: str) -> None:
    opened = server.documents.get(uri)
    if opened is None:
        return
    server.diagnostics.changed(opened)
    if stale := server.results.forget_trajectory(uri, lambda: opened.snapshot.text):
        server.diagnostics.results_changed(stale)

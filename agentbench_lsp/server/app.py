"""The server: its state, and what happens when documents, files and settings change. Requests are in `features`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from agentbench_lsp import __version__
from agentbench_lsp.language.diagnostics import view_of
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.oracles.base import OracleSpec
from agentbench_lsp.project.summaries import read_document
from agentbench_lsp.server.analysis import Analysis
from agentbench_lsp.server.client import Client, watch_process
from agentbench_lsp.server.configuration import Configuration
from agentbench_lsp.server.diagnostics import Diagnostics
from agentbench_lsp.server.documents import Documents, OpenDocument, file_path
from agentbench_lsp.server.evaluations import Evaluations
from agentbench_lsp.server.on_save import OnSave
from agentbench_lsp.server.protocol import Protocol, lenient_converter
from agentbench_lsp.server.results import Results
from agentbench_lsp.server.shown_files import ShownFiles
from agentbench_lsp.server.workspace_files import WorkspaceFiles

_log = logging.getLogger(__name__)
EVALUATE = "agentbench.evaluate"  # the command that code lenses run
RESULTS_CHANGED = "agentbench/resultsChanged"  # {"uris": [uri]}: to a client that wants it
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
        self.configuration = Configuration()
        self.diagnostics = Diagnostics(self)
        self.workspace_files = WorkspaceFiles(self)
        self.analysis = Analysis(self, self._facts_have_come)
        self.results = Results(self)
        self.evaluations = Evaluations(self)
        self.shown_files = ShownFiles(self)
        self.on_save = OnSave(self)
        self._trusted: bool | None = None  # what the client said since the start
        self._ids: dict[str, object] = {}
        self._work: set[asyncio.Task[Any]] = set()

    @property
    def documents(self) -> Documents:
        return self.protocol.documents

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log: pygls would show every error to the user."""
        if not isinstance(error, JsonRpcException):
            _log.error("%s: %s", getattr(source, "__name__", source), error)

    def specs(self, uri: str) -> Mapping[str, OracleSpec]:
        """The oracle types known where a document is."""
        return self.analysis.specs(uri)

    # What changes

    def configure(self, settings: Any) -> None:
        """Use other settings from now on. What cannot be understood is logged."""
        configuration = Configuration.of(settings)
        for problem in configuration.problems:
            self.window_log_message(types.LogMessageParams(types.MessageType.Warning, problem))
        if configuration != self.configuration:
            before, self.configuration = self.configuration, configuration
            if (before.interpreter, before.sandbox) != (configuration.interpreter, configuration.sandbox):
                self.results_changed(self.results.clear())  # they would be found in another way now
            self.analysis.forget()
            self.diagnostics.facts_changed()
            self.diagnostics.refresh()
            self.workspace_files.configured()
            self._refresh_decorations()

    def document_changed(self, uri: str) -> None:
        """A document was opened, edited or saved."""
        opened = self.documents.get(uri)
        if opened is None:
            return
        self.analysis.document_changed()
        self.diagnostics.changed(opened)
        self._tell_neighbours(opened)
        if stale := self.results.forget_stale():
            self.results_changed(stale)

    def _tell_neighbours(self, opened: OpenDocument) -> None:
        """Other open documents are judged by a task's id and workspace."""
        others = [other for other in self.documents if other is not opened]
        if not others:
            return
        view = self.analysis.view(opened)
        if not isinstance(view, TaskDocument):
            return
        if self._ids.get(opened.uri) != view.text_of("id"):
            self._ids[opened.uri] = view.text_of("id")
            path = file_path(opened.uri)
            self.analysis.forget(path.parent if path else None, projects=False)
        for other in others:
            if other.snapshot.kind in ("trajectory", "manifest"):
                self.diagnostics.changed(other)

    def files_changed(self, paths: list[Path]) -> None:
        """Files were changed outside of the editor."""
        if not paths:
            return
        self.analysis.forget(projects=any(path.suffix != ".json" for path in paths))
        if stale := self.results.forget_stale():
            self.results_changed(stale)
        self.diagnostics.facts_changed()
        self.diagnostics.refresh()  # of files that are not open, too
        self.workspace_files.changed()

    def _facts_have_come(self) -> None:
        self.diagnostics.facts_changed()
        self._refresh_decorations(types.WORKSPACE_INLAY_HINT_REFRESH)

    def _refresh_decorations(self, *methods: str) -> None:
        """Have the client ask again for what it shows beside the text."""
        known = {
            types.WORKSPACE_INLAY_HINT_REFRESH: self.workspace_inlay_hint_refresh,
            types.WORKSPACE_CODE_LENS_REFRESH: self.workspace_code_lens_refresh,
        }
        for method in methods or known:
            if method in self.client.refreshes:
                known[method](None)

    # Evaluation

    @property
    def trusted(self) -> bool:
        """False where nothing of the workspace may be run."""
        return self.client.trusted if self._trusted is None else self._trusted

    async def trust(self, trusted: bool) -> None:
        """The user trusts the workspace, or no more: then what runs is ended."""
        self._trusted = trusted
        if not trusted:
            await self.evaluations.workers.cancel()
        self.analysis.forget()
        self.diagnostics.facts_changed()
        self._refresh_decorations(types.WORKSPACE_CODE_LENS_REFRESH)

    def warm_up(self) -> None:
        """Have a worker ready, if there is a task that may be evaluated."""
        tasks = (opened for opened in self.documents if opened.snapshot.kind == "task")
        if self.trusted and next(tasks, None) is not None:
            self.evaluations.workers.warm_up()

    def current_view(self, uri: str) -> DocumentView | None:
        """A document of ours as it is now: in the editor, else on disk."""
        opened = self.documents.get(uri)
        if opened is not None:
            return self.analysis.view(opened)
        path = file_path(uri)
        document = read_document(path) if path else None
        return view_of(document, self.specs(uri), self.analysis.around(path)) if document else None

    def current_task(self, uri: str) -> TaskDocument | None:
        """The same of a task."""
        view = self.current_view(uri)
        return view if isinstance(view, TaskDocument) else None

    def results_changed(self, uris: list[str]) -> None:
        """Something new is known of these documents, or no longer holds."""
        self.diagnostics.results_changed(uris)
        if self.client.wants_results:
            self.protocol.notify(RESULTS_CHANGED, {"uris": uris})
        if any(self.documents.get(uri) is None for uri in uris):
            self.workspace_files.changed()
        self._refresh_decorations(types.WORKSPACE_CODE_LENS_REFRESH)

    def track(self) -> None:
        """Have the task that runs now ended with the server."""
        task = asyncio.current_task()
        if task is not None:
            self._work.add(task)
            task.add_done_callback(self._work.discard)

    async def stop_work(self) -> None:
        """Cancel what is running and wait until its processes are gone."""
        await self.workspace_files.stop()
        await self.analysis.stop()
        for task in list(self._work):
            if not task.cancelling():  # a second time would cut its cleaning up short
                task.cancel()
        if self._work:
            await asyncio.wait(self._work, timeout=_STOP_SECONDS)
        await self.evaluations.stop()
        self.shown_files.remove()


def create_server() -> AgentBenchServer:
    """A server that has not been started."""
    from agentbench_lsp.server import pulled_diagnostics
    from agentbench_lsp.server.features import register_all

    server = AgentBenchServer()
    register_all(server)

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.client = Client.of(params)
        server.configuration = Configuration.of(params.initialization_options)
        server.documents.encoding = server.workspace.position_encoding or types.PositionEncodingKind.Utf16
        if server.client.pulls:
            pulled_diagnostics.register(server)
        if params.process_id is not None:
            watch_process(params.process_id, lambda: server.protocol.client_died())

    return server

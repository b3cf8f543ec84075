"""The files of the workspace folders that are not open: their diagnostics, from a cache, in slices."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import stat
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from agentbench_lsp.language.diagnostics import findings, view_of
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.pattern_search import outcome
from agentbench_lsp.language.rule_settings import RuleSettings
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.models.json_text import read_text
from agentbench_lsp.project.discovery import json_files
from agentbench_lsp.project.rule_config import relative_path
from agentbench_lsp.project.summaries import read_document
from agentbench_lsp.server import convert
from agentbench_lsp.server.diagnostics import digest, shown
from agentbench_lsp.server.documents import OpenDocument, file_path, uri_key
from agentbench_lsp.server.progress import Progress
from agentbench_lsp.server.slices import Pause

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_log = logging.getLogger(__name__)
_CHUNK = 250  # files a partial result or a step of the progress
_LARGEST = 5_000_000  # bytes; larger files are checked when they are opened
_TITLE = "Checking task files"
_PUSH_DELAY = 0.5  # seconds
_PATIENCE = 5.0  # seconds that a file waits for what its patterns match


@dataclass(slots=True)
class _Checked:
    """What a file had when it was checked, and what was found."""

    stamp: tuple[int, int]
    others: tuple[object, ...]  # what else it was judged by
    settings: RuleSettings
    items: list[types.Diagnostic]
    result_id: str
    version: int | None = None  # of an open document


class WorkspaceFiles:
    """Diagnostics by file."""

    def __init__(self, server: AgentBenchServer) -> None:
        self._server = server
        self._checked: dict[Path, _Checked] = {}
        self._judged: dict[Path, tuple[tuple[int, int], OpenDocument]] = {}  # files with results, by their stamps
        self._pushing: asyncio.Task[None] | None = None
        self._pushed: set[Path] = set()

    # Files

    def folders(self) -> list[Path]:
        """The workspace folders that are on disk."""
        workspace = self._server.workspace
        uris = [folder.uri for folder in workspace.folders.values()] or [workspace.root_uri or ""]
        return [path for uri in uris if uri and (path := file_path(uri)) and path.is_dir()]

    def files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """JSON files of the workspace folders, each once."""
        for path in dict.fromkeys(path for root in self.folders() for path in json_files(root)):
            with contextlib.suppress(OSError):
                status = path.stat()
                if stat.S_ISREG(status.st_mode):  # and no folder that cannot be read
                    yield path, status

    async def tasks(self) -> AsyncIterator[Path]:
        """JSON files, once the folders they are in have been looked at."""
        paths = [path for path, _ in self.files()]
        for folder in dict.fromkeys(path.parent for path in paths):
            self._server.analysis.neighbours(folder)
        await self._server.analysis.settle(patience=10.0)
        for path in paths:
            yield path

    # Checking

    def _known(self, path: Path, status: os.stat_result) -> _Checked | None:
        """What was found in a file, where nothing it depends on has changed."""
        known = self._checked.get(path)
        if known is None or known.stamp != (status.st_mtime_ns, status.st_size):
            return None
        analysis = self._server.analysis
        same = known.others == self._others(path)
        return known if same and known.settings == analysis.settings(analysis.project(path)) else None

    def _read(self, path: Path, status: os.stat_result) -> DocumentView | None:
        """The view of a file; None for one that is not ours, or too large to be checked unasked."""
        analysis = self._server.analysis
        self._checked.pop(path, None)
        if status.st_size > _LARGEST or path.name not in analysis.neighbours(path.parent).files:
            return None
        try:
            document = Document(read_text(path), path.as_posix())
        except (OSError, UnicodeDecodeError):
            return None
        if document.kind == "session":
            return None  # nobody's to edit
        return view_of(document, analysis.project(path).specs, analysis.around(path))

    def _check(self, path: Path, status: os.stat_result, view: DocumentView) -> _Checked:
        server, analysis = self._server, self._server.analysis
        project = analysis.project(path)
        settings = analysis.settings(project)
        found = findings(view, settings, relative_path(path, project.root))
        uri, encoding = path.as_uri(), server.documents.encoding
        visible = shown(found, server.configuration.syntax_errors)
        items = [convert.diagnostic(view.document, f, encoding, server.client, uri) for f in visible]
        stamp = (status.st_mtime_ns, status.st_size)
        checked = self._checked[path] = _Checked(stamp, self._others(path), settings, items, digest(items))
        return checked

    def _others(self, path: Path) -> tuple[object, ...]:
        """What a file is judged by besides itself: a task by others with its id, the rest by the folders around it."""
        look = self._server.analysis.neighbours
        neighbours = look(path.parent)
        summary = neighbours.files.get(path.name)
        if summary is not None and summary.kind == "task":
            return tuple(neighbours.by_id.get(summary.id or "", ()))
        above = path.parent.parent
        return neighbours, look(above), look(above / "tasks")

    async def _check_all(self) -> AsyncIterator[tuple[int, int, list[tuple[Path, _Checked]]]]:
        """`(files done, of how many, what was found)`, some files at a time, of those of ours that are not open."""
        files = list(self.files())
        analysis = self._server.analysis
        if not self._server.client.watches_files:
            analysis.forget(projects=False)  # nobody tells what has changed on disk
        for folder in dict.fromkeys(path.parent for path, _ in files):
            analysis.neighbours(folder)
        while analysis.pending:
            await analysis.settle(patience=1.0)
        for first in range(0, len(files), _CHUNK):
            chunk = files[first : first + _CHUNK]
            yield first + len(chunk), len(files), [pair async for pair in self._check_chunk(chunk)]

    async def _check_chunk(self, chunk: list[tuple[Path, os.stat_result]]) -> AsyncIterator[tuple[Path, _Checked]]:
        """Patterns are asked for together, and the answers waited for once."""
        views: list[tuple[Path, os.stat_result, DocumentView]] = []
        pause = Pause()
        for path, status in chunk:
            await pause.now_and_then()
            opened = self._server.documents.at_path(path)
            if opened is not None:
                # VS Code pulls documents only while they have a tab, though they stay open for minutes after.
                if self._server.client.pulls:
                    yield path, self._as_shown(opened, status)
            elif known := self._known(path, status):
                yield path, self._with_results(path, status, known)
            elif view := self._read(path, status):
                views.append((path, status, view))
                for pattern in view.patterns if isinstance(view, TaskDocument) else ():
                    outcome(pattern, view.around)
        for path, status, view in views:
            await pause.now_and_then()
            checked = self._check(path, status, view)
            if self._server.analysis.pending:
                await self._server.analysis.settle(patience=_PATIENCE)
                checked = self._check(path, status, view)
            yield path, self._with_results(path, status, checked)

    def _as_shown(self, opened: OpenDocument, status: os.stat_result) -> _Checked:
        """What an open document has, its results included."""
        items = self._server.diagnostics.compute(opened)
        stamp = (status.st_mtime_ns, status.st_size)
        return _Checked(stamp, (), self._server.configuration.rules, items, digest(items), opened.version)

    def _with_results(self, path: Path, status: os.stat_result, checked: _Checked) -> _Checked:
        """The same, with what evaluations found in a file that is not open: it has what it would have if it were."""
        uri, results = path.as_uri(), self._server.results
        if not (results.of_task(uri) or results.of_task(uri, "baseline") or results.with_trajectory(uri)):
            if self._judged.pop(path, None):
                self._server.analysis.closed(uri)
            return checked
        known = self._judged.get(path)
        if known is None or known[0] != checked.stamp:
            document = read_document(path)
            if document is None:
                return checked
            known = self._judged[path] = checked.stamp, OpenDocument(uri, document.text, None)
        return self._as_shown(known[1], status)

    # Pull

    async def pull(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """Answer `workspace/diagnostic`. Files without findings that the client has nothing of are left out."""
        if not self._server.configuration.workspace_diagnostics:
            return types.WorkspaceDiagnosticReport(self._nothing(params.previous_result_ids))
        before = {uri_key(previous.uri): previous for previous in params.previous_result_ids}
        items: list[types.WorkspaceDocumentDiagnosticReport] = []
        async with Progress(self._server, _TITLE, params.work_done_token) as progress:
            async for number, total, found in self._check_all():
                for path, checked in found:
                    items += self._report(path, checked, before)
                progress.report(number * 100 // total, f"{number} of {total}")
                items = self._partial(params.partial_result_token, items)
        return types.WorkspaceDiagnosticReport([*items, *self._nothing(before.values())])

    def _nothing(self, previous: Iterable[types.PreviousResultId]) -> list[types.WorkspaceDocumentDiagnosticReport]:
        """Take back what was told of files that are not open."""
        uris = [each.uri for each in previous if self._server.documents.get(each.uri) is None]
        for uri in uris:
            self._server.diagnostics.tell(uri, [])
        return [types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in uris]

    def _report(
        self, path: Path, checked: _Checked, before: dict[str, types.PreviousResultId]
    ) -> Iterator[types.WorkspaceDocumentDiagnosticReport]:
        uri, result_id = path.as_uri(), checked.result_id
        previous = before.pop(uri_key(uri), None)
        was_told = uri_key(uri) in self._server.diagnostics.told
        self._server.diagnostics.tell(uri, checked.items)
        if previous is not None and previous.value == result_id:
            yield types.WorkspaceUnchangedDocumentDiagnosticReport(previous.uri, result_id, version=checked.version)
        elif checked.items or previous is not None or was_told:
            yield types.WorkspaceFullDocumentDiagnosticReport(
                uri, checked.items, version=checked.version, result_id=result_id
            )

    def _partial(
        self, token: types.ProgressToken | None, items: list[types.WorkspaceDocumentDiagnosticReport]
    ) -> list[types.WorkspaceDocumentDiagnosticReport]:
        """Send what is there already, where the client takes it; what is still to send."""
        if token is None or not items:
            return items
        value = types.WorkspaceDiagnosticReportPartialResult(items)
        self._server.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))
        return []

    # Push

    def configured(self) -> None:
        """Settings have changed: everything is judged anew."""
        self._checked.clear()
        self.changed()

    def changed(self) -> None:
        """Files or folders have changed: tell a client that does not pull what is found in them."""
        if self._server.client.pulls or not self._server.configuration.workspace_diagnostics:
            return
        if self._pushing is not None:
            self._pushing.cancel()
        if self.folders():
            self._pushing = asyncio.get_running_loop().create_task(self._push())

    async def _push(self) -> None:
        await asyncio.sleep(_PUSH_DELAY)  # several changes at once are one
        pushed: set[Path] = set()
        async with Progress(self._server, _TITLE) as progress:
            async for number, total, found in self._check_all():
                for path, checked in found:
                    if checked.items:
                        pushed.add(path)
                        self._publish(path, checked.items)
                progress.report(number * 100 // total, f"{number} of {total}")
        for path in self._pushed - pushed:
            if self._server.documents.at_path(path) is None:
                self._publish(path, [])
        self._pushed = pushed

    def closed(self, uri: str) -> None:
        """A document was closed: its file is judged as it is on disk again."""
        if file_path(uri) is not None:
            self.changed()

    def _publish(self, path: Path, items: list[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(path.as_uri(), items))

    async def stop(self) -> None:
        """End what runs."""
        if self._pushing is not None:
            self._pushing.cancel()

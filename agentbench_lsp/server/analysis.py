"""What the server knows of each document: its view, its findings, its project. Kept until something changes."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import ProjectError, find_project
from agentbench_lsp.language.diagnostics import findings, view_of
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Finding
from agentbench_lsp.language.rule_settings import RuleSettings
from agentbench_lsp.language.surroundings import Neighbourhood, Spans, Surroundings
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.oracles.base import OracleSpec
from agentbench_lsp.project.file_surroundings import FileSurroundings
from agentbench_lsp.project.rule_config import project_rules, relative_path
from agentbench_lsp.project.summaries import Summaries
from agentbench_lsp.server.documents import OpenDocument, file_path, uri_key
from agentbench_lsp.server.learned_oracles import LearnedOracles
from agentbench_lsp.server.matching import MatchWorker
from agentbench_lsp.server.results import Stamp, stamp_of
from agentbench_lsp.server.slices import in_slices

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_log = logging.getLogger(__name__)
_PATIENCE = 0.25  # seconds that an answer waits for facts that are on their way
_NO_NEIGHBOURS = Neighbourhood()


@dataclass(frozen=True)
class ProjectInfo:
    """What a folder's project says: oracle types, rule settings, where it is."""

    specs: Mapping[str, OracleSpec]
    rules: RuleSettings
    root: Path | None
    files: tuple[Path, ...] = ()  # that verdicts depend on


@dataclass
class _Known:
    snapshot: Document
    facts: int
    view: DocumentView | None
    found: list[Finding] | None = None


class Analysis:
    """Views and findings of open documents. `on_news` is called when facts that were waited for have come."""

    def __init__(self, server: AgentBenchServer, on_news: Callable[[], None]) -> None:
        self._server = server
        self._on_news = on_news
        self.matcher = MatchWorker(self._news)
        self.summaries = Summaries(self._opened)
        self._learned = LearnedOracles(server, self._learned_more)
        self._projects: dict[Path, ProjectInfo] = {}
        self._known: dict[str, _Known] = {}
        self._facts = 0  # counts changes of anything that findings depend on besides the document
        self._forgotten = 0  # counts how often files may have changed
        self._stale: dict[Path, None] = {}  # folders to look at (again)
        self._looking: asyncio.Task[bool] | None = None

    # Projects

    def project(self, path: Path | None) -> ProjectInfo:
        """The project of a file. Custom oracles are read from their source, never run."""
        folder = path.parent if path else Path()
        if folder not in self._projects:
            try:
                project = find_project(folder) if path else None
                rules = project_rules(project) if project else RuleSettings()
                catalogue = Catalogue(project)
            except ProjectError as exc:
                self._server.window_log_message(types.LogMessageParams(types.MessageType.Error, str(exc)))
                catalogue, rules = Catalogue(), RuleSettings()
            project = catalogue.project
            files = (*project.oracle_files, *([project.file] if project.file else []))
            self._projects[folder] = ProjectInfo(self._learned.merged(folder, catalogue), rules, project.root, files)
        return self._projects[folder]

    def specs(self, uri: str) -> Mapping[str, OracleSpec]:
        """The oracle types known where a document is."""
        return self.project(file_path(uri)).specs

    def settings(self, project: ProjectInfo) -> RuleSettings:
        """The user's rule settings, and the project's where the user has none."""
        return self._server.configuration.rules.over(project.rules)

    def stamps(self, path: Path | None) -> dict[Path, Stamp]:
        """The files of a file's project that a verdict depends on, as they are now."""
        info = self.project(path)
        return {file: stamp_of(file) for file in info.files}

    # Documents

    def view(self, opened: OpenDocument) -> DocumentView | None:
        """The view of a document as it is now; None where it is not ours."""
        return self._entry(opened).view

    def findings(self, opened: OpenDocument) -> list[Finding]:
        """All findings of a document as it is now."""
        entry = self._entry(opened)
        if entry.found is None:
            entry.found = findings(entry.view, *self._rules(opened)) if entry.view else []
        return entry.found

    def adjusted(self, opened: OpenDocument, finding: Finding) -> Finding | None:
        """A finding of an evaluation with the severity it has here; None where it is silent."""
        view = self.view(opened)
        settings, name = self._rules(opened)
        return next(iter(settings.apply([finding], name, view)), None) if view else None

    def _rules(self, opened: OpenDocument) -> tuple[RuleSettings, str]:
        """The settings that a document is judged with, and what globs call it."""
        path = file_path(opened.uri)
        project = self.project(path)
        return self.settings(project), relative_path(path, project.root) if path else ""

    def _entry(self, opened: OpenDocument) -> _Known:
        key, snapshot = uri_key(opened.uri), opened.snapshot
        entry = self._known.get(key)
        if entry is None or entry.snapshot is not snapshot or entry.facts != self._facts:
            path = file_path(opened.uri)
            view = view_of(snapshot, self.project(path).specs, self.around(path))
            entry = self._known[key] = _Known(snapshot, self._facts, view)
        return entry

    def around(self, path: Path | None) -> Surroundings:
        """The surroundings of a file; of a document that is none, only what patterns match."""
        if path is None:
            return _OnlyMatches(self.matcher.find)
        return FileSurroundings(path, self.neighbours, self.matcher.find, self._opened)

    def _opened(self, path: Path) -> Document | None:
        opened = self._server.documents.at_path(path)
        return opened.snapshot if opened else None

    # Facts

    def neighbours(self, folder: Path) -> Neighbourhood:
        """The documents of a folder, as they were when it was last looked at; it is looked at again where it must."""
        known = self.summaries.known(folder)
        if known is not None:
            return known
        self._stale[folder] = None
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look())
            self._looking.add_done_callback(self._looked)
        return self.summaries.before(folder) or _NO_NEIGHBOURS

    async def _look(self) -> bool:
        """Look at the folders that are stale; whether anything is new in them."""
        news = False
        while self._stale:
            folder, times = next(iter(self._stale)), self._forgotten
            before = self.summaries.before(folder)
            await in_slices(self.summaries.steps(folder))
            news |= self.summaries.known(folder) is not before
            if times != self._forgotten:
                self.summaries.forget(folder)  # something changed meanwhile: look again
                continue
            del self._stale[folder]
        return news

    def _looked(self, task: asyncio.Task[bool]) -> None:
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            _log.error("a folder could not be looked at", exc_info=error)
        elif task.result():
            self._news()

    @property
    def pending(self) -> bool:
        """True while facts are on their way."""
        return self.matcher.pending or (self._looking is not None and not self._looking.done())

    async def settle(self, patience: float = _PATIENCE) -> None:
        """Wait for facts that are on their way, but not long."""
        end = time.monotonic() + patience
        while self.pending and (left := end - time.monotonic()) > 0:
            tasks = {t for t in (self.matcher.task, self._looking) if t is not None and not t.done()}
            if tasks:
                await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)

    def _learned_more(self) -> None:
        self._projects.clear()
        self._news()

    def _news(self) -> None:
        self._facts += 1
        self._on_news()

    def document_changed(self) -> None:
        """Another document may be judged by what stands in this one."""
        self._facts += 1

    def forget(self, folder: Path | None = None, projects: bool = True) -> None:
        """Files have changed on disk, or settings: look again when it is needed."""
        self._facts += 1
        self._forgotten += 1
        self.summaries.forget(folder)
        if projects:
            self._projects.clear()

    def closed(self, uri: str) -> None:
        """Keep nothing of a document."""
        self._known.pop(uri_key(uri), None)

    async def stop(self) -> None:
        """End what runs."""
        if self._looking is not None:
            self._looking.cancel()
        await self.matcher.stop()


class _OnlyMatches(Surroundings):
    def __init__(self, find: Callable[[str, str, int], Spans | None]) -> None:
        self._find = find

    def matches(self, pattern: str, text: str, flags: int = re.MULTILINE) -> Spans | None:
        return self._find(pattern, text, flags)

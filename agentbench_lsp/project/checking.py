"""Checking files: one, or many in parallel. Nothing is run but patterns, under a limit."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import ProjectError, find_project
from agentbench_lsp.gate.task_files import say
from agentbench_lsp.language.diagnostics import diagnose
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Finding
from agentbench_lsp.language.fix_all import fix_all
from agentbench_lsp.language.rule_settings import RuleSettings
from agentbench_lsp.models.json_text import read_text
from agentbench_lsp.project.file_surroundings import FileSurroundings
from agentbench_lsp.project.matching import find_matches
from agentbench_lsp.project.rule_config import project_rules, relative_path
from agentbench_lsp.project.summaries import Summaries

_FEW = 100  # files; with fewer, starting processes costs more than it saves
_BATCH = 25


@dataclass(frozen=True, slots=True)
class Located:
    """A finding with its place: lines and columns count from 1, columns in code points."""

    finding: Finding
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(slots=True)
class FileReport:
    """What checking a file found. `unreadable`: why it could not be checked. `ours`: it is a document of ours."""

    path: str
    ours: bool = True
    unreadable: str | None = None
    found: list[Located] = field(default_factory=list)
    fixed: str | None = None  # the text with all safe fixes, where there were any


@dataclass(frozen=True)
class Checker:
    """Settings of one run. `fix`: give the fixed text, and what is found in that."""

    settings: RuleSettings
    fix: bool = False

    def check_file(self, path: Path) -> FileReport:
        """Raises ProjectError."""
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError) as exc:
            return FileReport(str(path), unreadable=say(exc))
        return self.check_text(text, path)

    def check_text(self, text: str, path: Path, shown: str | None = None) -> FileReport:
        """Check a text as if it were in a file. Raises ProjectError."""
        document = Document(text, path.absolute().as_posix())
        report = FileReport(shown or str(path))
        if document.kind is None:
            report.ours = False
            return report
        catalogue, rules = _project(path.absolute().parent)
        around = FileSurroundings(path.absolute(), _look, find_matches)
        settings = self.settings.over(rules)
        name = relative_path(path, catalogue.project.root)
        if self.fix:
            fixed = fix_all(document, catalogue, around, settings, name)
            if fixed.text != text:
                document, report.fixed = fixed, fixed.text
        report.found = [locate(document, f) for f in diagnose(document, catalogue, around, settings, name)]
        return report

    def check_files(self, paths: Sequence[Path]) -> Iterator[FileReport]:
        """Reports in the order of the paths; many files on all cores. Raises ProjectError."""
        workers = _cores()
        if len(paths) < _FEW or workers < 2:
            yield from map(self.check_file, paths)
            return
        import multiprocessing  # a tenth of the start, and needed for many files only
        from concurrent.futures import ProcessPoolExecutor

        for folder in dict.fromkeys(path.absolute().parent for path in paths):
            _look(folder)  # before the processes are forked, so that it is done once
        method = "fork" if sys.platform == "linux" else "spawn"
        try:
            pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context(method))
        except (OSError, ImportError, NotImplementedError):  # a system without semaphores
            yield from map(self.check_file, paths)
            return
        with pool:
            yield from pool.map(self.check_file, paths, chunksize=_BATCH)


def locate(document: Document, finding: Finding) -> Located:
    """A finding with its lines and columns."""
    start, end = document.lines.position(finding.start), document.lines.position(finding.end)
    return Located(finding, start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@cache
def _project(folder: Path) -> tuple[Catalogue, RuleSettings]:
    project = find_project(folder)
    return Catalogue(project), project_rules(project)


_look = cache(Summaries().look)

__all__ = ["Checker", "FileReport", "Located", "ProjectError"]

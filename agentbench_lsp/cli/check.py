"""`agentbench check`: validation only, with line and column; the same findings that the editor shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import click

from agentbench_lsp.cli.output import fail
from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.project import ProjectError, find_project
from agentbench_lsp.gate.report.text_report import visible
from agentbench_lsp.gate.task_files import say
from agentbench_lsp.language.diagnostics import diagnose
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.finding import Finding, Severity
from agentbench_lsp.models.json_text import read_text

_PASSED_OVER = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True)
class _Unreadable:
    path: Path
    reason: str


@click.command("check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Form of the output.")
def command(paths: tuple[Path, ...], form: str) -> None:
    """Check task, trajectory and manifest files, and those in folders. Nothing is run.

    Exit code 0: no errors; 1: errors found; 2: a path cannot be read or is no document of ours.
    """
    found: list[tuple[Path, Document, Finding]] = []
    unreadable: list[_Unreadable] = []
    checked = 0
    for path, explicit in _files(paths):
        document = _read(path)
        if isinstance(document, _Unreadable):
            unreadable.append(document)
        elif document.kind is None:
            if explicit:
                reason = "is no task, trajectory or manifest: it has none of their fields, nor their names"
                unreadable.append(_Unreadable(path, reason))
        else:
            checked += 1
            found += [(path, document, finding) for finding in _diagnose(path, document)]
    if not checked and not unreadable:
        raise fail(f"there is no task, trajectory or manifest in {', '.join(map(str, paths))}")
    errors = any(finding.severity is Severity.ERROR for _, _, finding in found)
    if form == "json":
        click.echo(json.dumps(_report(found, unreadable), indent=2, ensure_ascii=False))
    else:
        _write(found, unreadable, checked)
    raise click.exceptions.Exit(2 if unreadable else 1 if errors else 0)


def _files(paths: tuple[Path, ...]) -> Iterator[tuple[Path, bool]]:
    """Files to check, and whether they were named; in folders, JSON files that are not hidden."""
    seen: set[Path] = set()
    for path in paths:
        inside = _inside(path) if path.is_dir() else [path]
        for file in inside:
            if file not in seen:
                seen.add(file)
                yield file, file == path


def _inside(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        yield folder  # which cannot be read as a file either, and the reason is then told
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in _PASSED_OVER:
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _inside(entry)
        elif entry.name.endswith(".json") and entry.is_file():
            yield entry


def _read(path: Path) -> Document | _Unreadable:
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as exc:
        return _Unreadable(path, say(exc))
    return Document(text, path.absolute().as_posix())


def _diagnose(path: Path, document: Document) -> list[Finding]:
    try:
        return diagnose(document, _catalogue(path.absolute().parent))
    except ProjectError as exc:
        raise fail(str(exc)) from None


@cache
def _catalogue(folder: Path) -> Catalogue:
    return Catalogue(find_project(folder))


def _place(document: Document, offset: int) -> tuple[int, int]:
    position = document.lines.position(offset)
    return position.line + 1, position.column + 1


def _write(found: list[tuple[Path, Document, Finding]], unreadable: list[_Unreadable], checked: int) -> None:
    for path, document, finding in found:
        line, column = _place(document, finding.start)
        where = f"{visible(str(path))}:{line}:{column}"
        click.echo(f"{where}: {finding.severity.value} {finding.code} {visible(finding.message)}")
    for bad in unreadable:
        click.echo(f"{visible(str(bad.path))}:1:1: error unreadable {visible(bad.reason)}")
    counts = {s: sum(f.severity is s for _, _, f in found) for s in Severity}
    errors, warnings = counts[Severity.ERROR] + len(unreadable), counts[Severity.WARNING]
    summary = f"{_count(checked, 'file')} checked: {_count(errors, 'error')}, {_count(warnings, 'warning')}"
    click.echo(summary, err=True)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _report(found: list[tuple[Path, Document, Finding]], unreadable: list[_Unreadable]) -> dict[str, Any]:
    diagnostics: list[dict[str, Any]] = []
    for path, document, finding in found:
        line, column = _place(document, finding.start)
        end_line, end_column = _place(document, finding.end)
        diagnostics.append(
            {
                "path": str(path),
                "line": line,
                "column": column,
                "end_line": end_line,
                "end_column": end_column,
                "severity": finding.severity.value,
                "code": finding.code,
                "message": finding.message,
            }
        )
    errors = [{"path": str(bad.path), "message": bad.reason} for bad in unreadable]
    passed = not errors and not any(d["severity"] == "error" for d in diagnostics)
    return {"passed": passed, "diagnostics": diagnostics, "unreadable": errors}

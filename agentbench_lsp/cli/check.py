"""`agentbench check`: validation only, with line and column; the same findings that the editor shows."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from agentbench_lsp.cli.output import fail
from agentbench_lsp.dsl.project import ProjectError
from agentbench_lsp.language.finding import Severity
from agentbench_lsp.language.rule_settings import RuleSettings, unknown_code
from agentbench_lsp.project.checking import Checker, FileReport
from agentbench_lsp.project.discovery import json_files
from agentbench_lsp.project.report import FORMATS, writer
from agentbench_lsp.project.rule_pages import documented_rules

_STDIN = Path("-")
_FOREIGN = "is no task, trajectory or manifest: it has none of their fields, nor their names"


def _codes(_context: click.Context, _param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    codes = tuple(code.strip() for item in value for code in item.split(",") if code.strip())
    for code in codes:
        if code not in documented_rules():
            raise click.BadParameter(unknown_code(code, documented_rules()))
    return codes


@click.command("check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Form of the output.")
@click.option("--fix", is_flag=True, help="Apply the safe fixes, and report what is left.")
@click.option("--select", multiple=True, callback=_codes, metavar="CODES", help="Only these rules (comma-separated).")
@click.option("--ignore", multiple=True, callback=_codes, metavar="CODES", help="Not these rules (comma-separated).")
@click.option("--stdin-filename", type=click.Path(path_type=Path), help="What the text on stdin (PATH is -) is called.")
def command(
    paths: tuple[Path, ...],
    form: str,
    fix: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    stdin_filename: Path | None,
) -> None:
    """Check task, trajectory and manifest files, and those in folders; - reads stdin. Nothing is run.

    With --fix and stdin the fixed text goes to stdout, the report to stderr.

    Exit code 0: no errors; 1: errors found; 2: a path cannot be read or is no document of ours.
    """
    checker = Checker(RuleSettings(select=select, ignore=ignore), fix)
    reports: list[FileReport] = []
    from_stdin = _STDIN in paths
    try:
        if from_stdin:
            reports.append(_check_stdin(checker, stdin_filename))
        files = dict(_files(path for path in paths if path != _STDIN))
        for report in checker.check_files(list(files)):
            if report.fixed is not None:
                report.unreadable = _write(Path(report.path), report.fixed, named=files[Path(report.path)])
            if not report.ours and files[Path(report.path)]:
                report.unreadable = _FOREIGN
            if report.ours or report.unreadable:
                reports.append(report)
    except ProjectError as exc:
        raise fail(str(exc)) from None
    if not reports:
        raise fail(f"there is no task, trajectory or manifest in {', '.join(map(str, paths))}")
    text = writer(form)(reports)
    if text:
        click.echo(text, err=from_stdin and fix)
    if form == "text":
        click.echo(_summary(reports), err=True)
    unreadable = any(report.unreadable is not None for report in reports)
    errors = _count(reports, Severity.ERROR)
    raise click.exceptions.Exit(2 if unreadable else 1 if errors else 0)


def _check_stdin(checker: Checker, name: Path | None) -> FileReport:
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        return FileReport("<stdin>", unreadable=f"not UTF-8 text (byte {exc.start})")
    report = checker.check_text(text, name or Path("stdin.json"), shown=str(name or "<stdin>"))
    if not report.ours:
        report.unreadable = _FOREIGN
    if checker.fix:
        sys.stdout.buffer.write((text if report.fixed is None else report.fixed).encode())
    return report


def _files(paths: Iterable[Path]) -> Iterator[tuple[Path, bool]]:
    """Files to check, and whether they were named, each once."""
    for path in paths:
        if path.is_dir():
            yield from ((file, file == path) for file in json_files(path))
        else:
            yield path, True


def _write(path: Path, text: str, named: bool) -> str | None:
    """Put a fixed text in place of a file, whole or not at all. Why it could not be, or None.

    A link that was only found in a folder may lead anywhere: what it leads to was not asked for.
    """
    if path.is_symlink() and not named:
        return "is a link, which --fix does not follow; name the file"
    import tempfile

    target = path.resolve()
    try:
        bom = target.read_bytes().startswith(b"\xef\xbb\xbf")
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as exc:
        return f"cannot be fixed: {exc.strerror or exc}"
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8-sig" if bom else "utf-8"))
        temporary.chmod(target.stat().st_mode)
        temporary.replace(target)
    except OSError as exc:
        with contextlib.suppress(OSError):
            temporary.unlink()
        return f"cannot be fixed: {exc.strerror or exc}"
    return None


def _count(reports: list[FileReport], severity: Severity) -> int:
    return sum(found.finding.severity is severity for report in reports for found in report.found)


def _summary(reports: list[FileReport]) -> str:
    unreadable = sum(report.unreadable is not None for report in reports)
    errors = _count(reports, Severity.ERROR) + unreadable
    checked = sum(report.ours and report.unreadable is None for report in reports)
    parts = [_number(errors, "error"), _number(_count(reports, Severity.WARNING), "warning")]
    if fixed := sum(report.fixed is not None for report in reports):
        parts.append(f"{_number(fixed, 'file')} fixed")
    return f"{_number(checked, 'file')} checked: {', '.join(parts)}"


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

"""`agentbench import`: the session of an agent, made a trajectory, and a task if one is wanted."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from agentbench_lsp.cli.output import fail
from agentbench_lsp.gate.recordings import RecordingError, chosen
from agentbench_lsp.gate.report.text_report import visible
from agentbench_lsp.gate.session_files import (
    TargetError,
    instance_path,
    json_text,
    link_to_source,
    task_id_of,
    trajectory_beside,
    trajectory_text,
    write_new,
)
from agentbench_lsp.gate.session_import import without_secrets
from agentbench_lsp.gate.session_report import report, summary_lines
from agentbench_lsp.gate.session_task import SessionTask, task_of_session
from agentbench_lsp.importers.core.importer import importers
from agentbench_lsp.importers.core.importing import NoSessionError, read_sessions
from agentbench_lsp.importers.core.secrets import ScannerMissingError
from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.importers.core.source import Source


def _format_names() -> list[str]:
    return sorted(importers())


@dataclass
class _Options:
    """What the user asked for."""

    session: Path
    output: Path | None
    new_task: Path | None
    redact: bool
    try_commands: bool | None
    force: bool
    as_json: bool
    reports: list[dict[str, Any]] = field(default_factory=list)
    taken: set[Path] = field(default_factory=set)


@click.command("import")
@click.argument("session", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Trajectory file; a folder for several sessions.")
@click.option("--root", metavar="DIR", help="Folder of the recorded machine that is the workspace; else it is found.")
@click.option("--format", "format_name", metavar="NAME", help=f"Take it as: {', '.join(_format_names())}.")
@click.option("--instance", metavar="ID", help="Only this session, where the file holds several.")
@click.option("--new-task", type=click.Path(path_type=Path), help="Also make a task that the session's own run passes.")
@click.option(
    "--try-commands/--no-try-commands",
    default=None,
    help="Run the session's test command for --new-task. Without either it is run only where a sandbox holds it.",
)
@click.option("--redact", is_flag=True, help="Mask what looks like a secret.")
@click.option("--force", is_flag=True, help="Write over a task that is there already.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; with the trajectory unless -o is given.")
def command(
    session: Path,
    output: Path | None,
    root: str | None,
    format_name: str | None,
    instance: str | None,
    new_task: Path | None,
    try_commands: bool | None,
    redact: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make a trajectory of the session that an agent recorded.

    Without -o it goes to standard output, and the summary to standard error. Exit code 0: imported; 2: it is no
    session, or something cannot be written; standard error says why.
    """
    options = _Options(session, output, new_task, redact, try_commands, force, as_json)
    try:
        sessions = read_sessions(Source(session), format_name, root)
        if instance is not None:
            sessions = [chosen(sessions, instance)]
        elif len(sessions) > 1 and (new_task is not None or (output is None and not as_json)):
            sessions = [chosen(sessions, None)]
        for each in sessions:
            _import(each, options, several=len(sessions) > 1)
    except NoSessionError as exc:
        raise fail(f"{session} is no session that can be imported: {exc}") from None
    except (RecordingError, TargetError, ScannerMissingError) as exc:
        raise fail(f"{session}: {exc}") from None
    except OSError as exc:
        raise fail(f"{exc.filename or session} cannot be used: {exc.strerror or exc}") from None
    if as_json:
        click.echo(json.dumps({"session": str(session), "sessions": options.reports}, indent=2, ensure_ascii=True))


def _import(session: Session, options: _Options, several: bool) -> None:
    session = without_secrets(session, options.redact)
    output = options.output
    if output is None and options.new_task is not None:
        output = trajectory_beside(options.new_task)
    if output is not None and (several or output.is_dir()):
        output = instance_path(output, session, options.session, options.taken)
    made = None
    if options.new_task is not None:
        made = task_of_session(session, task_id_of(options.new_task), options.try_commands)
        session.document["metadata"]["task"] = made.document["id"]
        write_new(options.new_task, json_text(made.document) + "\n", options.session, overwrite=options.force)
    session.document["metadata"]["source"]["file"] = link_to_source(options.session, output)
    if output is not None:
        write_new(output, trajectory_text(session.document), options.session, overwrite=True)
    elif not options.as_json:
        sys.stdout.write(trajectory_text(session.document))
    _tell(session, made, output, options)


def _tell(session: Session, made: SessionTask | None, output: Path | None, options: _Options) -> None:
    if options.as_json:
        written = {"output": str(output) if output else None}
        task = {"task": str(options.new_task), "task_notes": made.notes} if made else {}
        document = {} if output else {"trajectory": session.document}
        options.reports.append({**report(session), **written, **task, **document})
        return
    *lines, fidelity = summary_lines(session)
    if made is not None:
        oracles = ", ".join(oracle["type"] for oracle in made.document["oracles"]) or "no oracle"
        lines += [*(f"task: {note}" for note in made.notes), f"wrote {options.new_task} ({oracles})"]
    if output is not None:
        lines.append(f"wrote {output}")
    for line in (*lines, fidelity):
        click.echo(visible(line), err=output is None)

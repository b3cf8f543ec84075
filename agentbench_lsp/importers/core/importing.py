"""Importing a file: which format it is, and every session in it."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.importers.core.finishing import finished
from agentbench_lsp.importers.core.importer import Importer, importers
from agentbench_lsp.importers.core.refusal import what_it_is
from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.importers.core.source import Source


class NoSessionError(ValueError):
    """A file that is no session, and why."""


def importer_of(source: Source, format_name: str | None = None) -> Importer:
    """The importer that recognises a file, or the named one. Raises NoSessionError, OSError."""
    known = importers()
    if format_name is not None:
        if format_name not in known:
            raise NoSessionError(f"there is no importer {format_name!r}; there are {', '.join(sorted(known))}")
        return known[format_name]
    head = source.head
    for importer in sorted(known.values(), key=lambda each: each.generic):
        if importer.recognise(head):
            return importer
    raise NoSessionError(what_it_is(head))


def import_sessions(source: Source, format_name: str | None = None, root: str | None = None) -> Iterator[Session]:
    """Each session of a file. Raises NoSessionError, OSError."""
    importer = importer_of(source, format_name)
    found = False
    for recorder in importer.read(source):
        recorder.notes += [note for note in source.notes if note not in recorder.notes]
        found = True
        yield finished(recorder, root, source.path.name)
    if not found:
        raise NoSessionError(f"it looks like {importer.title}, and holds no session")


def read_sessions(source: Source, format_name: str | None = None, root: str | None = None) -> list[Session]:
    """Every session of a file. Raises NoSessionError, OSError."""
    return list(import_sessions(source, format_name, root))


def is_session(source: Source) -> bool:
    """True if a file is the session of an agent, and no trajectory of ours. Raises OSError."""
    head = source.head
    if "steps" in head.fields and "schema_version" not in head.fields:
        return False
    return any(importer.recognise(head) for importer in importers().values())

"""What is known of a document's neighbourhood: other files, and what patterns match. Injected; no I/O here.

`language` asks, `agentbench check` and the server answer, each in its own way. Whatever is not known (yet) is None or
empty, and a rule that needs it then says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from agentbench_lsp.dsl.schema import Kind
from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.language.document import Document

Spans = tuple[tuple[int, int], ...]
MOST_MATCHES = 100  # of one pattern in one text; more are not looked for


@dataclass(frozen=True, slots=True)
class Summary:
    """What other documents have to know of one."""

    kind: Kind
    id: str | None = None
    name: str | None = None
    tags: tuple[str, ...] = ()
    description: str = ""
    task: str | None = None  # what a trajectory says it was recorded for
    task_files: tuple[str, ...] = ()  # of a manifest
    task_subset: str | None = None  # of a manifest
    trajectory: str | None = None  # of a manifest: a run on its tasks
    recorded_for: str | None = None  # of a manifest: the task of that run
    stamp: tuple[int, int] | None = None  # of the file on disk: time of its last change (ns), size (bytes)


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The documents of one folder by file name. Equal only to itself: a folder that changed has another one."""

    files: Mapping[str, Summary] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> Mapping[str, list[str]]:
        """Names of the task files that have an id."""
        found: dict[str, list[str]] = {}
        for name, summary in sorted(self.files.items()):
            if summary.kind == "task" and summary.id is not None:
                found.setdefault(summary.id, []).append(name)
        return found

    @cached_property
    def tags(self) -> Counter[str]:
        """How many tasks have each tag."""
        return Counter(tag for summary in self.files.values() for tag in summary.tags)


class Surroundings:
    """Knows nothing. Paths are relative to the document's folder, with forward slashes; `../x` is allowed."""

    @property
    def name(self) -> str:
        """The document's own file name; empty for one that is in no folder."""
        return ""

    def neighbours(self, folder: str = "") -> Neighbourhood:
        """The documents in a folder, as far as they have been looked at."""
        return Neighbourhood()

    def exists(self, path: str) -> bool | None:
        """Whether there is a file; None where that is not known."""
        return None

    def document(self, path: str) -> Document | None:
        """Another document, as it is in the editor or on disk."""
        return None

    def sessions(self, document: Document) -> tuple[Session, ...]:
        """What a session is imported to, with what belongs to it."""
        return ()

    def matches(self, pattern: str, text: str, flags: int = re.MULTILINE) -> Spans | None:
        """Spans of the first matches, at most `MOST_MATCHES`; None where that is not known, or too costly to know."""
        return None


NOWHERE = Surroundings()

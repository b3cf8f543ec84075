"""Surroundings that a test has made up: files by path relative to the document's folder, and `re` itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.surroundings import Neighbourhood, Spans, Surroundings
from agentbench_lsp.project.matching import find_matches
from agentbench_lsp.project.summaries import summarise


class Known(Surroundings):
    """Knows these files and what every pattern matches."""

    def __init__(self, files: Mapping[str, str] | None = None, name: str = "") -> None:
        self._files, self._name = dict(files or {}), name

    @property
    def name(self) -> str:
        return self._name

    def neighbours(self, folder: str = "") -> Neighbourhood:
        prefix = f"{folder}/" if folder else ""
        texts = {path.removeprefix(prefix): text for path, text in self._files.items() if path.startswith(prefix)}
        found = {path: summarise(text, f"tasks/{path}") for path, text in texts.items() if "/" not in path}
        return Neighbourhood({path: summary for path, summary in found.items() if summary is not None})

    def exists(self, path: str) -> bool | None:
        return path in self._files

    def document(self, path: str) -> Document | None:
        return Document(self._files[path], path) if path in self._files else None

    def matches(self, pattern: str, text: str, flags: int = re.MULTILINE) -> Spans | None:
        return find_matches(pattern, text, flags)

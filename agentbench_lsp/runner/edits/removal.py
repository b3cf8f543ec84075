"""A file is deleted, moved, or as it was before the run."""

from __future__ import annotations

from dataclasses import dataclass

from agentbench_lsp.runner.edits.base import Changed, FileEdit, existing


@dataclass(frozen=True, slots=True)
class Removal(FileEdit):
    """The file has to exist."""

    def change(self, old: bytes | None) -> Changed:
        existing(old)
        return Changed(None)


@dataclass(frozen=True, slots=True)
class Restoration(FileEdit):
    """The file is as it was before the first step: its content, or its absence."""

    def change(self, old: bytes | None) -> Changed:
        return Changed(old)

    @property
    def from_start(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Move(FileEdit):
    """The file goes to `moved_to`, whatever is there; `edit` changes it first."""

    moved_to: str
    edit: FileEdit | None = None

    def change(self, old: bytes | None) -> Changed:
        return self.edit.change(old) if self.edit is not None else Changed(existing(old))

    @property
    def text(self) -> str | None:
        return self.edit.text if self.edit is not None else None

    @property
    def target(self) -> str:
        return self.moved_to

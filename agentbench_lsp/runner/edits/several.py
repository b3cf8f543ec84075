"""Several edits of one file that apply together or not at all: MultiEdit, blocks of a diff."""

from __future__ import annotations

from dataclasses import dataclass

from agentbench_lsp.runner.edits.base import Changed, FileEdit, NotAppliedError


@dataclass(frozen=True, slots=True)
class Several(FileEdit):
    """`parts` apply in order, each to what the one before left."""

    parts: tuple[FileEdit, ...]

    def change(self, old: bytes | None) -> Changed:
        notes: dict[str, None] = {}
        for number, part in enumerate(self.parts, 1):
            try:
                old, note = part.change(old)
            except NotAppliedError as exc:
                raise NotAppliedError(f"edit {number} of {len(self.parts)}: {exc}") from None
            if note:
                notes[note] = None
        return Changed(old, "; ".join(notes))

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts if part.text is not None)

"""Text is inserted after a line: `insert` of text editors, insert_content."""

from __future__ import annotations

from dataclasses import dataclass

from agentbench_lsp.runner.edits.base import Changed, FileEdit, NotAppliedError, existing
from agentbench_lsp.runner.edits.lines import as_lines, complete, join_lines, split_lines, usual_end


@dataclass(frozen=True, slots=True)
class Insertion(FileEdit):
    """`new` comes after line `after`, counted from 1: 0 is the top, None the end of the file."""

    after: int | None
    new: str

    def change(self, old: bytes | None) -> Changed:
        lines = split_lines(existing(old))
        after = len(lines) if self.after is None else self.after
        if not 0 <= after <= len(lines):
            raise NotAppliedError(f"insert_line is {after}, and the file has {len(lines)} lines")
        end = usual_end(lines)
        inserted = as_lines(self.new, end, "new_str") or as_lines("\n", end, "new_str")
        if after < len(lines):
            return Changed(join_lines([*lines[:after], *inserted, *lines[after:]]))
        if lines and not lines[-1].end:
            # The text goes to the end of a file without a final line end, which stays without.
            return Changed(join_lines([*complete(lines, end), *inserted[:-1], inserted[-1]._replace(end="")]))
        return Changed(join_lines([*lines, *inserted]))

    @property
    def text(self) -> str:
        return self.new

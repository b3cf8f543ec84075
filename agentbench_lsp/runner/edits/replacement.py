"""A text of a file is replaced by another: Edit, str_replace, replace, replace_string_in_file."""

from __future__ import annotations

from dataclasses import dataclass

from agentbench_lsp.runner.edits.base import Changed, FileEdit, NotAppliedError, encode, existing, to_crlf


@dataclass(frozen=True, slots=True)
class Replacement(FileEdit):
    """`old` has to be in the file once; `times` times where that is given; any number of times if `everywhere`.

    `first`: the first one is replaced, however many there are. An empty `old` makes a new file.
    """

    old: str
    new: str
    everywhere: bool = False
    times: int | None = None
    first: bool = False

    def change(self, old: bytes | None) -> Changed:
        search, replacement = encode(self.old, "old_string"), encode(self.new, "new_string")
        if not search:
            if old:
                raise NotAppliedError("old_string is empty, and the file exists and is not")
            return Changed(replacement)
        if old is None:
            raise NotAppliedError("old_string cannot be replaced: the file does not exist")
        return self._replace(existing(old), search, replacement)

    def _replace(self, old: bytes, search: bytes, replacement: bytes) -> Changed:
        count, note = old.count(search), ""
        if not count and b"\r\n" in old and b"\r" not in search:
            # Agents see CRLF files with LF line ends; their editors convert back on writing.
            search, replacement = to_crlf(search), to_crlf(replacement)
            count, note = old.count(search), "matched only after its line ends were made CRLF, as in the file"
        if not count:
            raise NotAppliedError("old_string is not in the file")
        if self.first:
            return Changed(old.replace(search, replacement, 1), note)
        if self.times is not None and count != self.times:
            raise NotAppliedError(f"old_string is in the file {count} times, and {self.times} were expected")
        if count > 1 and not self.everywhere and self.times is None:
            raise NotAppliedError(f"old_string is in the file {count} times; without replace_all it must be there once")
        return Changed(old.replace(search, replacement), note)

    @property
    def text(self) -> str:
        return self.new

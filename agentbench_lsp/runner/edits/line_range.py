"""A range of a file is replaced: `edit 3:7` of SWE-agent, the ranges of a VS Code text edit."""

from __future__ import annotations

from dataclasses import dataclass

from agentbench_lsp.runner.edits.base import Changed, FileEdit, NotAppliedError, encode, existing
from agentbench_lsp.runner.edits.lines import as_lines, join_lines, split_lines, usual_end


@dataclass(frozen=True, slots=True)
class LineRange(FileEdit):
    """Lines `first` to `last`, counted from 1 and both included, become `new`. `last` None: to the end of the file."""

    first: int
    last: int | None
    new: str

    def change(self, old: bytes | None) -> Changed:
        lines = split_lines(existing(old))
        last = len(lines) if self.last is None else self.last
        if self.first < 1 or last < self.first - 1:
            raise NotAppliedError(f"lines {self.first} to {last} are no range")
        if self.first > len(lines) + 1:
            raise NotAppliedError(f"line {self.first} is after the end of the file, which has {len(lines)} lines")
        end = usual_end(lines)
        return Changed(join_lines([*lines[: self.first - 1], *as_lines(self.new, end, "new_str"), *lines[last:]]))

    @property
    def text(self) -> str:
        return self.new


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file, from a line and column to another; both count from 1, columns in UTF-16 units."""

    start: tuple[int, int]
    end: tuple[int, int]
    new: str


@dataclass(frozen=True, slots=True)
class Spans(FileEdit):
    """Spans of the file, none over another, all counted in the file as it was before."""

    spans: tuple[Span, ...]

    def change(self, old: bytes | None) -> Changed:
        content = (old or b"").decode("utf-8", "surrogateescape")
        starts = [0]
        for i, char in enumerate(content):
            if char == "\n":
                starts.append(i + 1)
        end = "\r\n" if "\r\n" in content else "\n"
        for span in sorted(self.spans, key=lambda s: s.start, reverse=True):
            encode(span.new, "text")
            first, last = _offset(content, starts, span.start), _offset(content, starts, span.end)
            if last < first:
                raise NotAppliedError(f"the range {span.start} to {span.end} is none")
            content = content[:first] + span.new.replace("\r\n", "\n").replace("\n", end) + content[last:]
        return Changed(content.encode("utf-8", "surrogateescape"))

    @property
    def text(self) -> str:
        return "\n".join(span.new for span in self.spans)


def _offset(content: str, starts: list[int], place: tuple[int, int]) -> int:
    line, column = place
    if line < 1 or column < 1:
        raise NotAppliedError(f"line {line}, column {column} is no place of a file")
    if line > len(starts):
        return len(content)
    start = starts[line - 1]
    stop = starts[line] if line < len(starts) else len(content)
    text = content[start:stop].rstrip("\r\n")
    units = 0
    for i, char in enumerate(text):
        if units >= column - 1:
            return start + i
        units += 2 if ord(char) > 0xFFFF else 1
    return start + len(text)

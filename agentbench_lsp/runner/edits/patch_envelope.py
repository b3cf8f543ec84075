"""The apply_patch envelope: `*** Begin Patch` … `*** End Patch`, with files to add, delete, update and move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from agentbench_lsp.runner.edits.base import Changed, FileEdit, NotAppliedError, encode
from agentbench_lsp.runner.edits.lines import Line, complete, join_lines, split_lines, usual_end
from agentbench_lsp.runner.edits.removal import Move, Removal
from agentbench_lsp.runner.edits.whole import WholeFile

BEGIN, END = "*** Begin Patch", "*** End Patch"
_ADD, _DELETE, _UPDATE = "*** Add File:", "*** Delete File:", "*** Update File:"
_MOVE, _TAIL, _ENVIRONMENT = "*** Move to:", "*** End of File", "*** Environment ID:"
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    }
)
_LENIENCE: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("", str),
    ("matched without blanks at line ends", str.rstrip),
    ("matched without blanks around lines", str.strip),
    ("matched with dashes, quotes and blanks made plain", lambda line: line.strip().translate(_PLAIN)),
)


@dataclass(slots=True)
class Chunk:
    """Lines of an update: `(sign, text)` with sign ` `, `-` or `+`, after the lines that narrow the place."""

    anchors: list[str] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    at_end: bool = False

    def side(self, sign: str) -> list[str]:
        return [text for mark, text in self.lines if mark in (" ", sign)]


@dataclass(frozen=True, slots=True)
class Update(FileEdit):
    """The chunks of one file, in the order of the file."""

    chunks: tuple[Chunk, ...]

    def change(self, old: bytes | None) -> Changed:
        if old is None:
            raise NotAppliedError("the patch updates a file that does not exist")
        lines = split_lines(old, lone_cr=True)
        texts, end, place = [line.text for line in lines], usual_end(lines), 0
        lines = complete(lines, end)
        found: list[tuple[int, int, list[Line]]] = []
        notes: dict[str, None] = {}
        for chunk in self.chunks:
            for anchor in chunk.anchors:
                place = self._find(texts, [anchor], place, False, notes, "context") + 1
            wanted = chunk.side("-")
            if not wanted:
                found.append((len(texts), 0, _rewritten(chunk.lines, [], end)))
                continue
            signed = chunk.lines
            try:
                start = self._find(texts, wanted, place, chunk.at_end, notes, "lines")
            except NotAppliedError:
                if wanted[-1] != "" or signed[-1][1] != "":
                    raise
                signed, wanted = signed[:-1], wanted[:-1]
                start = self._find(texts, wanted, place, chunk.at_end, notes, "lines")
            found.append((start, len(wanted), _rewritten(signed, lines[start : start + len(wanted)], end)))
            place = start + len(wanted)
        found.sort(key=lambda each: each[0])
        if any(start + count > after for (start, count, _), (after, _, _) in pairwise(found)):
            raise NotAppliedError("two parts of the patch change the same lines")
        for start, count, new in reversed(found):
            lines[start : start + count] = new
        return Changed(join_lines(lines), "; ".join(notes))

    def _find(
        self, texts: list[str], wanted: list[str], start: int, at_end: bool, notes: dict[str, None], what: str
    ) -> int:
        last = len(texts) - len(wanted)
        first = last if at_end and last >= 0 else start
        for note, fold in _LENIENCE:
            folded = [fold(line) for line in wanted]
            for at in range(first, last + 1):
                if fold(texts[at]) == folded[0] and [fold(t) for t in texts[at : at + len(wanted)]] == folded:
                    if note:
                        notes[note] = None
                    return at
        shown = "\n".join(wanted[:3]) + ("\n…" if len(wanted) > 3 else "")
        raise NotAppliedError(f"the patch's {what} are not in the file:\n{shown}")

    @property
    def text(self) -> str:
        return "\n".join(text for chunk in self.chunks for sign, text in chunk.lines if sign == "+")


def _rewritten(signed: list[tuple[str, str]], old: list[Line], end: str) -> list[Line]:
    """A chunk's new lines; those that stay keep their line ends."""
    new, at = [], 0
    for sign, text in signed:
        encode(text, "the patch")
        if sign != "-":
            new.append(Line(text, old[at].end if sign == " " else end))
        if sign != "+":
            at += 1
    return new


def parse_envelope(patch: str) -> list[FileEdit]:
    """The edits of a patch, in its order. Raises NotAppliedError with what is wrong, and in which line."""
    lines = _unwrapped(patch)
    edits: list[FileEdit] = []
    at = 1
    if at < len(lines) and lines[at].strip().startswith(_ENVIRONMENT):
        at += 1
    while at < len(lines) - 1:
        edit, at = _file(lines, at)
        edits.append(edit)
    if not edits:
        raise NotAppliedError("the patch names no file")
    return edits


def _unwrapped(patch: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in patch.strip().split("\n")]
    if len(lines) > 2 and lines[0].lstrip().startswith("<<"):
        lines = lines[1:-1]  # the here-document that it was to be is still around it
    if lines[0].strip() != BEGIN:
        raise NotAppliedError(f"the patch does not begin with {BEGIN!r}")
    if lines[-1].strip() != END:
        raise NotAppliedError(f"the patch does not end with {END!r}")
    return lines


def _file(lines: list[str], at: int) -> tuple[FileEdit, int]:
    head = lines[at].strip()
    body = at + 1
    if head.startswith(_ADD):
        path = _named(head, _ADD, at)
        stop = body
        while stop < len(lines) - 1 and lines[stop].startswith("+"):
            stop += 1
        return WholeFile(path, "".join(f"{line[1:]}\n" for line in lines[body:stop]), "the patch"), stop
    if head.startswith(_DELETE):
        return Removal(_named(head, _DELETE, at)), body
    if head.startswith(_UPDATE):
        return _update(lines, _named(head, _UPDATE, at), body)
    raise NotAppliedError(f"line {at + 1} of the patch names no file: {head[:80]!r}")


def _named(head: str, marker: str, at: int) -> str:
    path = head.removeprefix(marker).strip()
    if not path:
        raise NotAppliedError(f"line {at + 1} of the patch names no file")
    return path


def _update(lines: list[str], path: str, at: int) -> tuple[FileEdit, int]:
    moved_to = None
    if at < len(lines) - 1 and lines[at].strip().startswith(_MOVE):
        moved_to, at = _named(lines[at].strip(), _MOVE, at), at + 1
    stop = at
    while stop < len(lines) - 1 and not _is_head(lines[stop]):
        stop += 1
    chunks = tuple(_chunks(lines, at, stop))
    if not chunks or not any(chunk.lines for chunk in chunks):
        raise NotAppliedError(f"the patch updates {path} and says not how")
    update = Update(path, chunks)
    return (Move(path, moved_to, update) if moved_to is not None else update), stop


def _is_head(line: str) -> bool:
    return line.startswith((_ADD, _DELETE, _UPDATE))  # with blanks before it, it is a line of the file


def _chunks(lines: list[str], start: int, stop: int) -> Iterator[Chunk]:
    chunk = Chunk()
    for at in range(start, stop):
        line = lines[at]
        if line.startswith("@@"):
            if chunk.lines:
                yield chunk
                chunk = Chunk()
            if anchor := line[2:].strip(" "):
                chunk.anchors.append(line[3:] if line[2:3] == " " else anchor)
        elif line.strip() == _TAIL:
            chunk.at_end = True
        elif line == "":
            chunk.lines.append((" ", ""))
        elif line[0] in " +-":
            chunk.lines.append((line[0], line[1:]))
        else:
            raise NotAppliedError(f"line {at + 1} of the patch begins with none of ' ', '+', '-', '@@': {line[:80]!r}")
    if chunk.lines:
        yield chunk

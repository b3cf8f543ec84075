"""Unified diffs, as `diff -u` and git write them: recorded results of patches, a run's submission."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from agentbench_lsp.runner.edits.base import Changed, FileEdit, NotAppliedError, UnsupportedEditError, encode
from agentbench_lsp.runner.edits.lines import Line, join_lines, split_lines, usual_end
from agentbench_lsp.runner.edits.removal import Move

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(r'\\([0-7]{3}|[abfnrtv"\\])')
_LETTERS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, '"': 34, "\\": 92}


@dataclass(frozen=True, slots=True)
class Hunk:
    """`lines`: `(sign, text)`; `open_old`, `open_new`: that side's last line has no line end."""

    start: int  # in the old file, from 1; 0 for a file that was empty
    lines: tuple[tuple[str, str], ...]
    open_old: bool = False
    open_new: bool = False

    def side(self, sign: str) -> list[str]:
        return [text.removesuffix("\r") for mark, text in self.lines if mark in (" ", sign)]


@dataclass(frozen=True, slots=True)
class Diff(FileEdit):
    """The hunks of one file. `makes`: the file is new; `removes`: it is gone after.

    `whole_run`: the diff is for the file as it was before the first step, not as the step found it.
    """

    hunks: tuple[Hunk, ...]
    makes: bool = False
    removes: bool = False
    whole_run: bool = False

    def change(self, old: bytes | None) -> Changed:
        if self.removes:
            if old is None:
                raise NotAppliedError("the diff removes a file that does not exist")
            return Changed(None)
        if old is None and not self.makes:
            raise NotAppliedError("the diff changes a file that does not exist")
        lines = [] if old is None or self.makes else split_lines(old)
        end, shift, note = usual_end(lines), 0, ""
        for hunk in self.hunks:
            wanted = hunk.side("-")
            stated = max(hunk.start - 1, 0) if wanted else hunk.start
            at = _nearest(lines, wanted, stated + shift)
            if at != stated + shift:
                note = "a part of the diff fits at other lines than it says"
            new = list(_rewritten(hunk, lines[at : at + len(wanted)], end))
            lines[at : at + len(wanted)] = new
            shift = at - stated + len(new) - len(wanted)
        return Changed(join_lines(lines), note)

    @property
    def text(self) -> str:
        return "\n".join(text for hunk in self.hunks for sign, text in hunk.lines if sign == "+")

    @property
    def from_start(self) -> bool:
        return self.whole_run


def _nearest(lines: list[Line], wanted: list[str], stated: int) -> int:
    """Where the lines are, next to where they should be. Raises NotAppliedError."""
    texts = [line.text for line in lines]
    last = len(texts) - len(wanted)
    for distance in range(max(stated, last - stated, 0) + 1):
        for at in {stated - distance, stated + distance}:
            if 0 <= at <= last and texts[at : at + len(wanted)] == wanted:
                return at
    shown = "\n".join(wanted[:3])
    raise NotAppliedError(f"the lines that the diff changes (line {stated + 1}) are not in the file:\n{shown}")


def _rewritten(hunk: Hunk, old: list[Line], end: str) -> Iterator[Line]:
    left = len(hunk.side("+"))
    ends = iter(old)
    for sign, text in hunk.lines:
        was = next(ends).end if sign != "+" else ""
        if sign == "-":
            continue
        encode(text, "the diff")
        left -= 1
        if hunk.open_new and not left:
            yield Line(text, "")
        elif text.endswith("\r"):
            yield Line(text[:-1], "\r\n")
        else:
            yield Line(text, was or end)


def parse_diff(text: str, path: str | None = None, whole_run: bool = False) -> list[FileEdit]:
    """The edits of a diff, a file each. `path` names the file of a diff that does not. Raises NotAppliedError."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    parsed = [part.edit(path, whole_run) for part in _parts(lines)]
    edits = [edit for edit in parsed if edit is not None]
    if not edits:
        raise NotAppliedError("the diff changes nothing that can be read")
    return edits


@dataclass
class _Part:
    """What a diff says of one file."""

    old: str | None = None
    new: str | None = None
    moved: bool = False
    makes: bool = False
    removes: bool = False
    binary: bool = False
    hunks: tuple[Hunk, ...] = ()

    def edit(self, path: str | None, whole_run: bool) -> FileEdit | None:
        old, new = self.old or path or self.new, self.new or path or self.old
        if old is None or new is None:
            raise NotAppliedError("the diff names no file")
        if self.binary:
            raise UnsupportedEditError(f"the diff of {new} is binary")
        if not (self.hunks or self.moved or self.makes or self.removes):
            return None
        if path is not None:
            old = new = path
        diff = Diff(new if self.makes else old, self.hunks, self.makes, self.removes, whole_run)
        if self.moved and path is None:
            return Move(old, new, diff if self.hunks else None)
        return diff


def _parts(lines: list[str]) -> Iterator[_Part]:
    part, begun, at = _Part(), False, 0
    while at < len(lines):
        line = lines[at].removesuffix("\r")
        if line.startswith("diff --git ") or (line.startswith("--- ") and part.hunks):
            if begun:
                yield part
            part, begun = _Part(), True
        if line.startswith("diff --git "):
            part.old, part.new = _git_names(line)
        elif line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            begun, old, new = True, _name(line[4:], "a/"), _name(lines[at + 1].removesuffix("\r")[4:], "b/")
            part = replace(part, makes=part.makes or old is None, removes=part.removes or new is None)
            part.old, part.new = old or new, new or old
            at += 1
        elif line.startswith("@@"):
            begun = True
            hunk, at = _hunk(lines, at)
            part.hunks += (hunk,)
            continue
        elif line.startswith("new file mode"):
            part.makes = True
        elif line.startswith("deleted file mode"):
            part.removes = True
        elif line.startswith("rename from "):
            part.old, part.moved = _unquoted(line[12:]), True
        elif line.startswith("rename to "):
            part.new, part.moved = _unquoted(line[10:]), True
        elif line.startswith(("Binary files ", "GIT binary patch")):
            part.binary = begun
        at += 1
    if begun:
        yield part


def _hunk(lines: list[str], at: int) -> tuple[Hunk, int]:
    head = _HUNK.match(lines[at])
    if not head:
        raise NotAppliedError(f"line {at + 1} of the diff is no head of a hunk: {lines[at][:80]!r}")
    left = {"-": int(head[2] or 1), "+": int(head[4] or 1)}
    signed: list[tuple[str, str]] = []
    open_old = open_new = False
    for stop in count(at + 1):
        line = lines[stop] if stop < len(lines) else None
        if line is not None and line.startswith("\\"):
            sign = signed[-1][0] if signed else " "
            open_old, open_new = open_old or sign in " -", open_new or sign in " +"
        elif left["-"] <= 0 and left["+"] <= 0:
            break
        elif line is None:
            raise NotAppliedError(f"the diff ends within the hunk of line {at + 1}")
        elif line[:1] in ("", " ", "-", "+"):
            sign = line[:1] or " "
            signed.append((sign, line[1:]))
            left["-"] -= sign != "+"
            left["+"] -= sign != "-"
        else:
            raise NotAppliedError(f"line {stop + 1} of the diff is no part of the hunk of line {at + 1}")
    return Hunk(int(head[1]), tuple(signed), open_old, open_new), stop


def _name(text: str, prefix: str) -> str | None:
    name = _unquoted(text.split("\t")[0].strip())
    return None if name == "/dev/null" else name.removeprefix(prefix)


def _git_names(line: str) -> tuple[str | None, str | None]:
    """Names of `diff --git a/x b/x`, where both are the same; others are told by the lines that follow."""
    rest = line.removeprefix("diff --git ")
    half = len(rest) // 2
    old, new = _unquoted(rest[:half]), _unquoted(rest[half + 1 :])
    if old.removeprefix("a/") == new.removeprefix("b/"):
        return old.removeprefix("a/"), new.removeprefix("b/")
    return None, None


def _unquoted(name: str) -> str:
    if len(name) < 2 or name[0] != '"' or name[-1] != '"':
        return name

    def byte(match: re.Match[str]) -> str:
        code = _LETTERS.get(match[1])
        return chr(int(match[1], 8) if code is None else code)

    text = _ESCAPE.sub(byte, name[1:-1])
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text

"""Search/replace blocks in one text: replace_in_file of Cline, apply_diff of Roo, the diff format of Aider."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agentbench_lsp.runner.edits.base import Changed, FileEdit, NotAppliedError, encode
from agentbench_lsp.runner.edits.lines import as_lines, complete, join_lines, split_lines, usual_end

_SEARCH = re.compile(r"(?:-{5,9}|<{5,9}) ?SEARCH>?")
_MIDDLE = re.compile(r"={5,9}")
_REPLACE = re.compile(r"(?:\+{5,9}|>{5,9}) ?REPLACE")
_START_LINE = re.compile(r":(?:start_line|end_line):\s*\d+\s*")
_ANCHORED = 3  # lines a block must have to be found by its first and last one
_LENIENCE: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("", str),
    ("matched without blanks at line ends", str.rstrip),
    ("matched without blanks around lines", str.strip),
)


@dataclass(frozen=True, slots=True)
class Block(FileEdit):
    """The first place of the lines `search` becomes `replacement`. An empty `search` is the whole file, or its end."""

    search: str
    replacement: str
    appends: bool = False

    def change(self, old: bytes | None) -> Changed:
        if not self.search.strip():
            new = encode(self.replacement, "the replacement")
            return Changed((old or b"") + new if self.appends else new)
        if old is None:
            raise NotAppliedError("the block's search text cannot be there: the file does not exist")
        lines = split_lines(old)
        end = usual_end(lines)
        wanted = [line.text for line in as_lines(self.search, end, "the search text")]
        at, note = _find([line.text for line in lines], wanted)
        new_lines = as_lines(self.replacement, end, "the replacement")
        return Changed(join_lines([*complete(lines, end)[:at], *new_lines, *lines[at + len(wanted) :]]), note)

    @property
    def text(self) -> str:
        return self.replacement


def _find(texts: list[str], wanted: list[str]) -> tuple[int, str]:
    places = range(len(texts) - len(wanted) + 1)
    for note, fold in _LENIENCE:
        folded = [fold(line) for line in wanted]
        for at in places:
            if fold(texts[at]) == folded[0] and [fold(t) for t in texts[at : at + len(wanted)]] == folded:
                return at, note
    if len(wanted) >= _ANCHORED:
        first, last = wanted[0].strip(), wanted[-1].strip()
        for at in places:
            if texts[at].strip() == first and texts[at + len(wanted) - 1].strip() == last:
                return at, "matched by the first and last line of its search text only"
    raise NotAppliedError("the block's search text is not in the file:\n" + "\n".join(wanted[:3]))


def parse_blocks(path: str, text: str, appends: bool = False) -> list[FileEdit]:
    """The blocks of a text. Raises NotAppliedError where there is none, or one is not whole."""
    blocks: list[FileEdit] = [Block(path, search, new, appends) for search, new in _blocks(text)]
    if not blocks:
        raise NotAppliedError("the diff holds no search/replace block")
    return blocks


def holds_blocks(text: str) -> bool:
    """True if a line of the text begins a block."""
    return any(_SEARCH.fullmatch(line.strip()) for line in text.split("\n"))


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    search: list[str] = []
    new: list[str] = []
    state = "outside"
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = line.rstrip()
        if state == "outside" and _SEARCH.fullmatch(mark):
            search, new, state = [], [], "search"
        elif state == "search" and not search and (_START_LINE.fullmatch(mark) or mark == "-------"):
            continue
        elif state == "search" and _MIDDLE.fullmatch(mark):
            state = "new"
        elif state == "new" and _REPLACE.fullmatch(mark):
            yield _text(search), _text(new)
            state = "outside"
        elif state != "outside":
            (search if state == "search" else new).append(line)
    if state != "outside":
        raise NotAppliedError("the last search/replace block has no end")


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)

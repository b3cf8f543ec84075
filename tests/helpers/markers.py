"""Documents with markers, as a person can read them.

A line of blanks and carets marks what stands above the carets; behind them comes what is expected there:

    { "type": "no_netwrk" }
              ^^^^^^^^^^^ error unknown-oracle-type: …

A fixture file holds several documents, each after a line `== name ==`. Behind the document may follow other files that
are beside it, each after `-- file NAME --`, and what the document becomes by a fix, after `-- fix TITLE --`. With the
environment variable UPDATE_FIXTURES=1 the tests write the markers and the fixed documents anew; look at the difference
before you commit it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from agentbench_lsp.language.finding import Finding
from agentbench_lsp.syntax.line_index import LineIndex

UPDATE = os.environ.get("UPDATE_FIXTURES") == "1"
_HEADING = re.compile(r"^== (.+) ==\n", re.MULTILINE)
_SECTION = re.compile(r"^-- (file|fix) (.+) --\n", re.MULTILINE)
_MARKER = re.compile(r"^ *\^+ .*\n?", re.MULTILINE)


@dataclass(frozen=True)
class Fixture:
    """One document of a fixture file: as it is written, and without its markers."""

    file: Path
    name: str
    marked: str

    @property
    def main(self) -> str:
        """The marked document alone."""
        return _SECTION.split(self.marked)[0]

    @property
    def text(self) -> str:
        return _MARKER.sub("", self.main)

    def sections(self, kind: str) -> dict[str, str]:
        """Sections of a kind (`file`, `fix`): what they are called, and their text."""
        parts = _SECTION.split(self.marked)
        named = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
        return {name: body for word, name, body in named if word == kind}


def read_fixtures(file: Path) -> list[Fixture]:
    parts = _HEADING.split(file.read_text(encoding="utf-8"))
    return [Fixture(file, name, body) for name, body in zip(parts[1::2], parts[2::2], strict=True)]


def write_fixtures(file: Path, marked: dict[str, str]) -> None:
    file.write_text("".join(f"== {name} ==\n{body}" for name, body in marked.items()), encoding="utf-8")


def mark(text: str, findings: list[Finding]) -> str:
    """`text` with a marker line for each finding. One that ends on a later line is marked to the end of its first."""
    lines = LineIndex(text)
    out: list[str] = []
    for number in range(len(lines.starts)):
        line = lines.line(number)
        if line or number + 1 < len(lines.starts):
            out.append(line + "\n")
        for finding in findings:
            place = lines.position(finding.start)
            if place.line == number:
                width = max(1, min(finding.end, lines.line_end(number)) - finding.start)
                label = f"{finding.severity.value} {finding.code}: {finding.message}"
                out.append(f"{' ' * place.column}{'^' * width} {label}\n")
    return "".join(out)

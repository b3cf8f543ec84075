"""The here-documents of a shell script: agents hand patches to apply_patch in them.

A reader of shell words, not of shell programs: quotes, escapes, separators and here-documents.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agentbench_lsp.runner.edits.patch_envelope import BEGIN

PATCH_TOOLS = frozenset({"apply_patch", "applypatch"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "powershell", "powershell.exe", "pwsh", "cmd", "cmd.exe"})
_RUN = frozenset({"-c", "-lc", "-ic", "-Command", "-command", "/c", "/C"})
_ENDS = ";&|\n()"


@dataclass
class Command:
    """A simple command: its words, and what its here-documents hold."""

    words: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)


def commands(script: str) -> list[Command]:
    """The simple commands of a script, in order."""
    return list(_Reader(script).commands())


def patches(command: str | Sequence[str]) -> list[tuple[str, str | None]]:
    """The patches that a command, or an argument vector, gives to apply_patch; each with the folder it went to."""
    if not isinstance(command, str):
        words = list(command)
        if words and words[0].rpartition("/")[2] in _SHELLS and len(words) > 2 and words[-2] in _RUN:
            return patches(words[-1])
        if len(words) > 1 and words[0] in PATCH_TOOLS:
            return [(words[1], None)]
        return []
    found: list[tuple[str, str | None]] = []
    folder: str | None = None
    here_string = _here_string(command)
    for each in commands(command):
        if each.words[:1] == ["cd"] and len(each.words) == 2:
            folder = posixpath.join(folder or "", each.words[1])
        elif each.words and each.words[0] in PATCH_TOOLS:
            texts = [*each.documents, *(word for word in each.words[1:] if BEGIN in word)] or here_string
            found += [(text, folder) for text in texts[:1]]
    return found


def _here_string(script: str) -> list[str]:
    """The text of a PowerShell here-string, as in `@'…'@ | apply_patch`."""
    lines = script.split("\n")
    for quote in ("'", '"'):
        starts = [i for i, line in enumerate(lines) if line.rstrip().endswith(f"@{quote}")]
        ends = [i for i, line in enumerate(lines) if line.startswith(f"{quote}@")]
        if starts and ends and starts[0] < ends[-1]:
            return ["\n".join(lines[starts[0] + 1 : ends[-1]])]
    return []


class _Reader:
    def __init__(self, script: str) -> None:
        self._text, self._at = script, 0
        self._waiting: list[tuple[Command, str, bool]] = []

    def commands(self) -> Iterator[Command]:
        command = Command()
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == "\n":
                self._at += 1
                self._documents()
            elif char in _ENDS:
                self._at += 1
            elif char in " \t\r":
                self._at += 1
                continue
            elif char == "#":
                self._skip_comment()
                continue
            elif self._text.startswith("<<<", self._at):
                self._at += 3
                continue
            elif self._text.startswith("<<", self._at):
                self._here(command)
                continue
            elif char in "<>":
                self._at += 1
                continue
            else:
                command.words.append(self._word())
                continue
            if command.words:
                yield command
                command = Command()
        self._documents()
        if command.words:
            yield command

    def _skip_comment(self) -> None:
        end = self._text.find("\n", self._at)
        self._at = len(self._text) if end < 0 else end

    def _here(self, command: Command) -> None:
        self._at += 2
        dashed = self._text.startswith("-", self._at)
        self._at += dashed
        while self._text[self._at : self._at + 1] in (" ", "\t"):
            self._at += 1
        self._waiting.append((command, self._word(), dashed))

    def _documents(self) -> None:
        """Take the here-documents that begin on this line."""
        for command, end, dashed in self._waiting:
            lines: list[str] = []
            while self._at < len(self._text):
                stop = self._text.find("\n", self._at)
                stop = len(self._text) if stop < 0 else stop
                line = self._text[self._at : stop]
                self._at = stop + 1
                line = line.lstrip("\t") if dashed else line
                if line.rstrip("\r") == end:
                    break
                lines.append(line)
            command.documents.append("\n".join(lines))
        self._waiting.clear()

    def _word(self) -> str:
        parts: list[str] = []
        while self._at < len(self._text):
            char = self._text[self._at]
            if char in " \t\r<>" or char in _ENDS:
                break
            if char == "'":
                end = self._text.find("'", self._at + 1)
                end = len(self._text) if end < 0 else end
                parts.append(self._text[self._at + 1 : end])
                self._at = end + 1
            elif char == '"':
                parts.append(self._double_quoted())
            elif char == "\\":
                escaped = self._text[self._at + 1 : self._at + 2]
                parts.append("" if escaped == "\n" else escaped)
                self._at += 2
            else:
                parts.append(char)
                self._at += 1
        return "".join(parts)

    def _double_quoted(self) -> str:
        parts: list[str] = []
        self._at += 1
        while self._at < len(self._text) and self._text[self._at] != '"':
            if self._text[self._at] == "\\" and self._text[self._at + 1 : self._at + 2] in ('"', "\\", "$", "`", "\n"):
                self._at += 1
            parts.append(self._text[self._at])
            self._at += 1
        self._at += 1
        return "".join(parts)

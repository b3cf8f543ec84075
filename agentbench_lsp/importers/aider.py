"""Aider: `.aider.chat.history.md`.

Edits stand in the replies, as search/replace blocks or whole files below their path; `> Applied edit to …` says which
were done. Relative paths are below the repository that holds the history.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import Outcome
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source

_START = "# aider chat started at "
_FENCE = re.compile(r"^(`{3,}|<source>|<code>|<pre>)(\S*)\s*$")
_FILE = re.compile(r"^[\w.@~+()\[\] /\\-]*[\w)\]]$")
_ENDS = {"<source>": "</source>", "<code>": "</code>", "<pre>": "</pre>"}
_SEARCH = re.compile(r"^<{5,9} ?SEARCH>?\s*$")
_LANGUAGE_FOR_DIFF = frozenset({"diff", "udiff"})


class Aider(Importer):
    name, title = "aider", "Aider"

    def recognise(self, head: Head) -> str | None:
        lines = head.text.splitlines()
        return "a chat history of Aider" if any(line.startswith(_START) for line in lines[:200]) else None

    def read(self, source: Source) -> Iterator[Recorder]:
        reader = _Reader(Recorder(self.name))
        with source.open_text() as file:
            for number, line in enumerate(file, 1):
                reader.line(line.rstrip("\r\n").removeprefix("\ufeff"), number)
        yield reader.done()


@dataclass
class _Proposed:
    """An edit in a reply: whole content, blocks, or a diff."""

    path: str
    text: str
    kind: str
    line: int


@dataclass
class _Reply:
    proposed: list[_Proposed] = field(default_factory=list)
    applied: list[str] = field(default_factory=list)
    failed: bool = False


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._reply = _Reply()
        self._asked: list[str] = []
        self._name: str | None = None  # the last line that may be the path of what follows
        self._fence: tuple[str, str, int] | None = None
        self._body: list[str] = []
        self._time: str | None = None

    def line(self, text: str, number: int) -> None:
        if self._fence is not None:
            self._fenced(text)
        elif text.startswith(_START):
            self._settle()
            self._time = text.removeprefix(_START).strip()
            self._out.at_time(self._time)
        elif text.startswith("#### "):
            if not self._asked:
                self._settle()
            self._asked.append(text.removeprefix("#### "))
        elif text.startswith("> "):
            self._ask()
            self._told(text.removeprefix("> ").strip(), number)
        else:
            if text.strip():
                self._ask()
            self._prose(text, number)

    def _ask(self) -> None:
        if self._asked:
            request = "\n".join(self._asked).strip()
            self._asked = []
            if not request.startswith("/"):
                self._out.ask(request)

    def _told(self, text: str, number: int) -> None:
        if text.startswith("Applied edit to "):
            self._reply.applied.append(text.removeprefix("Applied edit to ").strip())
        elif "failed to match" in text or "did not conform" in text:
            self._reply.failed = True
        elif text.startswith("Running "):
            command = text.removeprefix("Running ").strip()
            self._out.step("run", {"command": command}, number, time=self._time)
        elif text.startswith("Model: "):
            self._out.tell(model=text.removeprefix("Model: ").split(" with ")[0].strip())
        elif text.startswith("Aider v"):
            self._out.tell(agent_version=text.removeprefix("Aider v").strip())
        elif text.startswith(("Git repo:", "Repo-map")):
            self._out.tell(repository=text)

    def _prose(self, text: str, number: int) -> None:
        fence = _FENCE.match(text)
        if fence:
            self._fence = (_ENDS.get(fence[1], fence[1]), fence[2], number)
            self._body = []
            return
        name = text.strip().strip("*`:").removeprefix("# ").strip()
        if name:
            self._name = name if _FILE.match(name) else None

    def _fenced(self, text: str) -> None:
        end, language, number = self._fence or ("", "", 0)
        if text.rstrip() != end:
            self._body.append(text)
            return
        self._fence = None
        body = "".join(f"{line}\n" for line in self._body)
        blocks = any(_SEARCH.match(line) for line in self._body)
        if blocks and self._body and not _SEARCH.match(self._body[0]) and _FILE.match(self._body[0].strip()):
            self._name = self._body[0].strip()  # the path is within the fence
        if language in _LANGUAGE_FOR_DIFF and body.startswith("--- "):
            path = self._body[1].removeprefix("+++ ").removeprefix("b/") if len(self._body) > 1 else ""
            self._reply.proposed.append(_Proposed(path, body, "diff", number))
        elif self._name is not None:
            self._reply.proposed.append(_Proposed(self._name, body, "blocks" if blocks else "whole", number))
        if not blocks:
            self._name = None

    def _settle(self) -> None:
        """What was proposed becomes steps: those done for each file that an edit was applied to."""
        reply, self._reply = self._reply, _Reply()
        done = set(reply.applied)
        for proposed in reply.proposed:
            named = proposed.path in done
            if not named and proposed.kind == "whole":
                continue  # a block of code that was shown, not a file
            args, edits = _arguments(proposed)
            outcome = Outcome() if named else Outcome(failed="it was not applied")
            self._out.step("edit", args, proposed.line, outcome, time=self._time, edits=edits if named else None)
        told = {proposed.path for proposed in reply.proposed}
        for path in dict.fromkeys(path for path in reply.applied if path not in told):
            self._out.notes.append(f"an edit of {path} was applied that the reply does not show")

    def done(self) -> Recorder:
        self._ask()
        self._settle()
        self._out.tell(agent="aider")
        self._out.finish()
        return self._out


def _arguments(proposed: _Proposed) -> tuple[dict[str, Any], list[dict[str, Any]] | None]:
    if proposed.kind == "whole":
        return {"path": proposed.path, "content": proposed.text}, None
    return {"path": proposed.path, "diff": proposed.text, "appends": True}, None

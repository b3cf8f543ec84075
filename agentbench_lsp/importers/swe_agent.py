"""SWE-agent: the .traj of a run.

The editing commands of its tools (`edit`, `create`, `insert`, `str_replace_editor`) become edits, everything else is a
shell command. An edit that the linter or the editor refused is not applied. The submitted diff is what the run left; it
counts over the steps.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import Outcome
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.submission import submit
from agentbench_lsp.importers.core.values import as_dict, as_int, as_text, dicts, json_dict, text_of

_RANGE = re.compile(r"edit (\d+):(\d+)[ \t]*\r?\n")
_RANGE_END = "end_of_edit"
_LOOKED_AT = 20_000  # characters of an observation in which the tools say what they show
_SHOWN = re.compile(r"\[File: ([^\n\[]+?) \(\d+ lines total\)\]")
_FOLDER = re.compile(r"\(Current directory: ([^()\n]+)\)")
_FENCE = re.compile(r"```(?:\w+)?\n(.*?)\n```", re.DOTALL)
_REFUSALS = (
    *("introduced new syntax error", "No replacement was performed", "Multiple occurrences", "Text not found"),
    *("Your edit was not applied", "Invalid `path`", "File already exists", "No file open", "Usage: edit"),
)
_OPTIONS = ("file_text", "old_str", "new_str", "insert_line", "view_range")


class SweAgent(Importer):
    name, title = "swe-agent", "SWE-agent"

    def recognise(self, head: Head) -> str | None:
        if head.shape != "document":
            return None
        if any(isinstance(s.get("action"), str) and "observation" in s for s in head.items("trajectory")):
            return "a trajectory of actions and observations"
        history = head.items("history")
        demo = any("message_type" in m or "demo" in m or "agent" in m or "tool_calls" in m for m in history)
        return "a history of messages" if demo and all("role" in message for message in history) else None

    def read(self, source: Source) -> Iterator[Recorder]:
        reader = _Reader(Recorder(self.name))
        steps = bool(source.head.items("trajectory"))
        for key, item, value, line in source.members():
            if key == "trajectory" and isinstance(value, dict):
                reader.step(value, line)
            elif key == "history" and isinstance(value, dict):
                reader.message(value, line, counts=not steps)
            elif key == "info" and item is None:
                reader.info(as_dict(value), line)
            elif key == "environment":
                reader.out.tell(environment=value)
        yield reader.done()


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self.out = recorder
        self._cwd: str | None = None
        self._first: str | None = None
        self._open: str | None = None
        self._last_line = 1
        self._submission: tuple[str, int] | None = None
        self._calls: list[tuple[str, dict[str, Any], int]] = []

    def step(self, step: dict[str, Any], line: int) -> None:
        self._enter(_state(step.get("state")))
        observation = text_of(step.get("observation"))
        self._act(as_text(step.get("action")), observation, line)
        self._last_line = line

    def _enter(self, state: dict[str, Any]) -> None:
        folder = as_text(state.get("working_dir"))
        if folder and folder != "n/a":
            self._cwd = folder
            self._first = self._first or folder
            self.out.work_in(folder)
        if self._open is None and as_text(state.get("open_file")) not in ("", "n/a"):
            self._open = as_text(state.get("open_file"))

    def message(self, message: dict[str, Any], line: int, counts: bool) -> None:
        """A message of `history`: the request, and what was done where there is no list of steps."""
        role, text = message.get("role"), text_of(message.get("content"))
        if role == "user" and not message.get("is_demo") and "demonstration" not in text[:80].lower():
            self.out.ask(text)
        if not counts:
            return
        if folder := _FOLDER.search(text[-_LOOKED_AT:]):
            self._enter({"working_dir": folder[1]})
        if role in ("tool", "user"):
            for name, args, at in self._calls:
                self._function(name, args, text, at)
            self._calls = []
        elif role == "assistant":
            for call in dicts(message.get("tool_calls")):
                function = as_dict(call.get("function"))
                self._calls.append((as_text(function.get("name")), json_dict(function.get("arguments")) or {}, line))
            if not message.get("tool_calls") and (found := _FENCE.findall(text)):
                self._calls.append(("", {"action": found[-1]}, line))
        self._last_line = line

    def _function(self, name: str, args: dict[str, Any], observation: str, line: int) -> None:
        if not name:
            self._act(as_text(args.get("action")), observation, line)
        elif name == "edit" and "replacement_text" in args:
            first, last = as_int(args.get("start_line")), as_int(args.get("end_line"))
            if first is None and ":" in as_text(args.get("line_range")):
                first, last = (int(n) if n.isdecimal() else None for n in as_text(args["line_range"]).split(":")[:2])
            self._range(first or 0, last or 0, as_text(args["replacement_text"]), observation, line)
        elif name == "edit":
            self._replace(args.get("search"), args.get("replace"), args.get("replace_all"), observation, line)
        elif name in ("create", "open", "goto"):
            path = as_text(args.get("filename")) or as_text(args.get("path"))
            self._act(shlex.join([name, path]) if path else name, observation, line)
        elif name == "bash":
            self._run(as_text(args.get("command")), line)
        else:
            self._edit(name, args, None, observation, line)

    def _act(self, action: str, observation: str, line: int) -> None:
        text = action.strip()
        name = text.split(maxsplit=1)[0] if text else ""
        found = _RANGE.match(text) if name == "edit" and text.endswith(_RANGE_END) else None
        if found:
            new = text[found.end() :].removesuffix(_RANGE_END).removesuffix("\n").removesuffix("\r")
            self._range(int(found[1]), int(found[2]), new, observation, line)
            return
        words = _words(text) if name in ("edit", "create", "open", "insert", "str_replace_editor") else []
        if name == "edit" and len(words) >= 3:
            self._replace(words[1], words[2], "replace-all" in words[3:], observation, line)
        elif name == "create" and len(words) == 2:
            # An empty file of SWE-agent has one line.
            empty = {"path": words[1], "content": "\n"}
            self._edit("create", empty, [empty], observation, line)
            self._open = words[1]
        elif name == "insert" and len(words) >= 2:
            after = int(words[2]) if len(words) > 2 and words[2].isdecimal() else None
            edit = {"path": self._file(observation), "insert_line": after, "new_str": words[1]}
            self._edit("insert", edit, None if after is None else [edit], observation, line)
        elif name == "str_replace_editor" and len(words) >= 3:
            self._edit(name, _editor_args(words), None, observation, line)
        elif name == "submit":
            return
        else:
            if name == "open" and len(words) > 1:
                self._open = words[1]
            self._run(action.rstrip("\n"), line)
        if shown := _SHOWN.search(observation[:_LOOKED_AT]):
            self._open = shown[1]

    def _file(self, observation: str) -> str:
        shown = _SHOWN.search(observation[:_LOOKED_AT])
        return shown[1] if shown else self._open or ""

    def _range(self, first: int, last: int, text: str, observation: str, line: int) -> None:
        path = self._file(observation)
        args = {"path": path, "start_line": first, "end_line": last, "content": text}
        self._edit("edit", args, None, observation, line)

    def _replace(self, search: object, replacement: object, everywhere: object, observation: str, line: int) -> None:
        how = "replace_all" if everywhere else "first_only"
        args = {"path": self._file(observation), "old_str": search, "new_str": replacement, how: True}
        self._edit("edit", args, None, observation, line)

    def _edit(
        self, tool: str, args: dict[str, Any], edits: list[dict[str, Any]] | None, observation: str, line: int
    ) -> None:
        refused = next((text for text in _REFUSALS if text in observation), None)
        failed = refused is not None or observation.lstrip().startswith(("ERROR", "Error"))
        outcome = Outcome(failed=observation if failed else None)
        self.out.step(tool, args, line, outcome, cwd=self._cwd, edits=edits)

    def _run(self, command: str, line: int) -> None:
        if command.strip():
            self.out.step("bash", {"command": command}, line, cwd=self._cwd)

    def info(self, info: dict[str, Any], line: int) -> None:
        stats = as_dict(info.get("model_stats"))
        self.out.tell(exit_status=info.get("exit_status"), agent_version=info.get("swe_agent_version"))
        self.out.add_tokens(input=stats.get("tokens_sent"), output=stats.get("tokens_received"))
        if isinstance(info.get("submission"), str):
            self._submission = (info["submission"], line)

    def done(self) -> Recorder:
        for name, args, at in self._calls:
            self._function(name, args, "", at)
        self.out.tell(agent="swe-agent")
        if self._submission:
            submit(self.out, self._submission[0], self._last_line, self._first)
        self.out.finish()
        return self.out


def _state(state: object) -> dict[str, Any]:
    """A state, which is an object, JSON, or the text of a Python dictionary."""
    if (found := json_dict(state)) is not None:
        return found
    try:
        return as_dict(ast.literal_eval(as_text(state)))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {}


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _editor_args(words: list[str]) -> dict[str, Any]:
    args: dict[str, Any] = {"command": words[1], "path": words[2]}
    rest = words[3:]
    while rest:
        name, _, value = rest.pop(0).partition("=")
        name = name.removeprefix("--")
        if name in _OPTIONS:
            args[name] = value if value else rest.pop(0) if rest else ""
    if str(args.get("insert_line", "")).isdecimal():
        args["insert_line"] = int(args["insert_line"])
    return args

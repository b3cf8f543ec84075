"""Messages with tool calls, as OpenAI's and Anthropic's interfaces have them: exports, logs, datasets.

A list of messages, or an object with `messages`. Calls are `tool_calls`, `tool_use` or `tool_call` parts; results are
messages of the role `tool`, `tool_result` or `tool_output` parts. Without a flag for failure, a result that is wrapped
in `<tool_use_error>` or begins with `Error` counts as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.claude_code import exit_code
from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import DONE, Outcome
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.values import Words, as_dict, as_text, dicts, json_dict, text_of
from agentbench_lsp.runner.tools import COMMAND_TOOLS

_ROLES = Words({"system", "developer", "user", "assistant", "tool", "function"})
_CALLS = Words({"tool_use", "tool_call", "function_call"})
_RESULTS = Words({"tool_result", "tool_output", "function_call_output"})


class Messages(Importer):
    name, title, generic = "messages", "messages with tool calls (OpenAI, Anthropic)", True

    def recognise(self, head: Head) -> str | None:
        messages = [m for m in (*head.items("messages"), *head.records) if m.get("role") in _ROLES]
        calls = any(m.get("tool_calls") or m.get("role") == "tool" for m in messages)
        parts = any(
            p.get("type") in _CALLS or p.get("type") in _RESULTS for m in messages for p in dicts(m.get("content"))
        )
        return "messages with roles and tool calls" if calls or parts else None

    def read(self, source: Source) -> Iterator[Recorder]:
        if source.head.shape == "lines" and any("messages" in r for r in source.head.records):
            for value, line in source.records():
                reader = _Reader(Recorder(self.name, as_text(value.get("id")) or f"line-{line}"))
                reader.about(value)
                for message in dicts(value.get("messages")):
                    reader.message(message, line)
                yield reader.done()
            return
        reader = _Reader(Recorder(self.name))
        if source.head.shape == "document":
            for key, item, value, line in source.members():
                if key in ("messages", "") and item is not None and isinstance(value, dict):
                    reader.message(value, line)
                elif item is None:
                    reader.about({key: value})
        else:
            for value, line in source.records():
                reader.message(value, line)
        yield reader.done()


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._open: list[str] = []
        self._answered = False

    def about(self, fields: dict[str, Any]) -> None:
        meta = {**as_dict(fields.get("meta")), **as_dict(as_dict(fields.get("meta")).get("session_meta"))}
        self._out.tell(
            model=fields.get("model") or meta.get("model"), session_id=meta.get("session_id") or meta.get("id")
        )
        self._out.tell(agent=meta.get("agent") or meta.get("source"), agent_version=meta.get("version"))
        self._out.work_in(meta.get("cwd"))

    def message(self, message: dict[str, Any], line: int) -> None:
        role, content = message.get("role"), message.get("content")
        time = as_dict(message.get("_metadata")).get("timestamp", message.get("timestamp"))
        self._out.at_time(time)
        for call in dicts(message.get("tool_calls")):
            function = as_dict(call.get("function")) or call
            self._call(call.get("id"), function.get("name"), function.get("arguments"), line, time)
        for part in dicts(content):
            if part.get("type") in _CALLS:
                call_id = part.get("id") or part.get("call_id") or part.get("tool_call_id")
                self._call(call_id, part.get("name"), part.get("input", part.get("arguments")), line, time)
            elif part.get("type") in _RESULTS:
                call_id = part.get("tool_use_id") or part.get("tool_call_id") or part.get("call_id")
                self._result(call_id or message.get("tool_call_id"), part, part.get("is_error") is True)
        if role in ("tool", "function") and not any(p.get("type") in _RESULTS for p in dicts(content)):
            self._result(message.get("tool_call_id"), message, message.get("is_error") is True)
        elif role == "user" and not any(p.get("type") in _RESULTS for p in dicts(content)):
            self._out.ask(text_of(content))

    def _call(self, call_id: object, name: object, arguments: object, line: int, time: object) -> None:
        args = json_dict(arguments)
        key = self._out.call(call_id, name, arguments if args is None else args, line, time=time)
        if key is not None:
            self._open.append(key)

    def _result(self, call_id: object, part: dict[str, Any], is_error: bool) -> None:
        self._answered = True
        key = call_id if isinstance(call_id, str) and call_id in self._open else self._open[0] if self._open else None
        if key is None:
            return
        self._open.remove(key)
        text = text_of(part.get("content", part.get("output", part.get("text"))))
        call = self._out.open_call(key)
        code = exit_code(text)
        if call is not None and call["tool"] in COMMAND_TOOLS and (code is not None or not is_error):
            self._out.result(key, Outcome(exit_code=code))
            return
        failed = is_error or text.lstrip().startswith(("<tool_use_error>", "Error:", "ERROR:"))
        self._out.result(key, Outcome(failed=text or "error") if failed else DONE)

    def done(self) -> Recorder:
        # An export without any result says what was called, and no more.
        self._out.finish(*(() if self._answered else (DONE,)))
        return self._out

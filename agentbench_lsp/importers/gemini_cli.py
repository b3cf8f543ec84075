"""Gemini CLI: a session as JSON, as JSONL (from 0.40), or the stream of `--output-format stream-json`.

Its `replace` matches leniently and the user may change what is written, so the recorded `newContent` counts over the
call. Messages that were taken back (`$rewindTo`) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import UNKNOWN, Outcome, Truth
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.values import Words, as_dict, as_text, dicts, json_dict, text_of

_FAILED = Words({"error", "cancelled"})


class GeminiCli(Importer):
    name, title = "gemini-cli", "Gemini CLI"

    def recognise(self, head: Head) -> str | None:
        if "projectHash" in head.fields or any("projectHash" in record for record in head.records):
            return "a session with a projectHash"
        if any(m.get("type") == "gemini" for m in [*head.items("messages"), *head.records]):
            return "messages of type gemini"
        if any(r.get("type") == "tool_use" and "tool_name" in r for r in head.records):
            return "a stream of tool_use and tool_result"
        return None

    def read(self, source: Source) -> Iterator[Recorder]:
        reader = _Reader(Recorder(self.name))
        if source.head.shape == "document":
            for key, item, value, line in source.members():
                if key in ("messages", "") and item is not None and isinstance(value, dict):
                    reader.record(value, line)
                elif item is None:
                    reader.field(key, value)
        else:
            for value, line in source.records():
                reader.record(value, line)
        yield reader.done()


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._messages: dict[str, tuple[dict[str, Any], int]] = {}
        self._stream = False

    def field(self, key: str, value: object) -> None:
        names = {"sessionId": "session_id", "startTime": "started", "lastUpdated": "ended"}
        if key in names:
            self._out.tell(**{names[key]: value})

    def record(self, record: dict[str, Any], line: int) -> None:
        kind = record.get("type")
        if "$set" in record or "sessionId" in record:
            for key, value in {**record, **as_dict(record.get("$set"))}.items():
                self.field(key, value)
        elif "$rewindTo" in record:
            ids = list(self._messages)
            if record["$rewindTo"] in ids:
                for taken_back in ids[ids.index(record["$rewindTo"]) :]:
                    del self._messages[taken_back]
        elif kind in ("init", "tool_use", "tool_result", "result") and "id" not in record:
            self._streamed(record, line)
        elif kind == "message" and "role" in record:
            if record["role"] == "user":
                self._out.ask(text_of(record.get("content")))
        elif kind == "message_update":
            known = self._messages.get(as_text(record.get("id")))
            if known:
                change = {k: v for k, v in record.items() if k not in ("type", "id")}
                self._messages[as_text(record["id"])] = ({**known[0], **change}, known[1])
        elif kind in ("user", "gemini", "info", "error"):
            # A message that comes again is the same one, with what has been added to it.
            key = as_text(record.get("id")) or f"#{line}"
            self._messages[key] = (record, self._messages.get(key, (None, line))[1])

    def _streamed(self, record: dict[str, Any], line: int) -> None:
        time = record.get("timestamp")
        if record["type"] == "init":
            self._out.tell(session_id=record.get("session_id"), model=record.get("model"))
        elif record["type"] == "tool_use":
            self._out.call(record.get("tool_id"), record.get("tool_name"), record.get("parameters"), line, time=time)
        elif record["type"] == "tool_result":
            error = as_text(as_dict(record.get("error")).get("message")) or text_of(record.get("output"))
            failed = error or "error" if record.get("status") in _FAILED else None
            self._out.result(
                record.get("tool_id"), Outcome(failed, exit_code=_exit_code(text_of(record.get("output"))))
            )
        elif isinstance(record.get("stats"), dict):
            stats = record["stats"]
            self._out.add_tokens(input=stats.get("input_tokens"), output=stats.get("output_tokens"))

    def done(self) -> Recorder:
        for message, line in self._messages.values():
            self._message(message, line)
        self._out.tell(agent="gemini-cli")
        self._out.finish()
        return self._out

    def _message(self, message: dict[str, Any], line: int) -> None:
        self._out.at_time(message.get("timestamp"))
        if message.get("type") == "user":
            self._out.ask(text_of(message.get("content")))
            return
        self._out.tell(model=message.get("model"))
        tokens = as_dict(message.get("tokens"))
        self._out.add_tokens(input=tokens.get("input"), output=tokens.get("output"), cache_read=tokens.get("cached"))
        for call in dicts(message.get("toolCalls")):
            args = call.get("args")
            cwd = self._cwd(call)
            key = self._out.call(call.get("id"), call.get("name"), args, line, time=call.get("timestamp"), cwd=cwd)
            self._out.result(key, _outcome(call))

    @staticmethod
    def _cwd(call: dict[str, Any]) -> str | None:
        """The project's folder, told by the whole path of a file that the call names by a relative one."""
        whole = as_text(as_dict(call.get("resultDisplay")).get("filePath")).replace("\\", "/")
        named = as_text(as_dict(call.get("args")).get("file_path")).replace("\\", "/")
        return whole.removesuffix(f"/{named}") if named and whole.endswith(f"/{named}") else None


def _outcome(call: dict[str, Any]) -> Outcome:
    responses = [as_dict(as_dict(part.get("functionResponse")).get("response")) for part in dicts(call.get("result"))]
    error = next((as_text(r.get("error")) for r in responses if r.get("error")), "")
    output = "\n".join(as_text(r.get("output")) for r in responses)
    if call.get("status") in _FAILED or error:
        shown = call.get("resultDisplay")
        return Outcome(failed=error or as_text(shown) or as_text(call.get("status")))
    display = call.get("resultDisplay")
    display = json_dict(display) if isinstance(display, str) and display.startswith("{") else display
    return Outcome(truths=tuple(_truths(as_dict(display))), exit_code=_exit_code(output))


def _truths(display: dict[str, Any]) -> Iterator[Truth]:
    path, new, old = display.get("filePath"), display.get("newContent"), display.get("originalContent")
    if isinstance(path, str) and isinstance(new, str):
        made = display.get("isNewFile") is True
        original = None if made else old if isinstance(old, str) else UNKNOWN
        yield Truth(path, original, new, as_read=not made)


def _exit_code(output: str) -> int | None:
    for line in output.splitlines():
        name, found, code = line.partition("Exit Code: ")
        if found and not name.strip() and code.strip().lstrip("-").isdecimal():
            return int(code)
    return None

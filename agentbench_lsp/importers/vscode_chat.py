"""VS Code: "Chat: Export Chat…", saved chat sessions, the replay files of Copilot Chat, and the events of Copilot CLI.

Copilot's `insert_edit_into_file` leaves out what stays; the ranges that the editor recorded for it are applied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import Outcome
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.values import Words, as_dict, as_text, dicts, json_dict, text_of

_ERROR = "ERROR while calling tool"
_BY_RANGES = "insert_edit_into_file"
_CLI = Words({"session.start", "tool.execution_start", "tool.execution_complete", "assistant.message"})


class VsCodeChat(Importer):
    name, title = "vscode-chat", "VS Code chat, Copilot CLI"

    def recognise(self, head: Head) -> str | None:
        if "requests" in head.fields and ("requesterUsername" in head.fields or "responderUsername" in head.fields):
            return "an exported chat with requests"
        if "requests" in head.fields and any("response" in request for request in head.items("requests")):
            return "a chat session with requests"
        if any("logs" in prompt for prompt in head.items("prompts")):
            return "a chat replay with prompts and logs"
        if any(r.get("type") in _CLI and isinstance(r.get("data"), dict) for r in head.records):
            return "events of Copilot CLI"
        return None

    def read(self, source: Source) -> Iterator[Recorder]:
        reader = _Reader(Recorder(self.name))
        if source.head.shape == "lines":
            for value, line in source.records():
                reader.event(value, line)
        else:
            for key, item, value, line in source.members():
                if item is None:
                    reader.field(key, value)
                elif key == "requests" and isinstance(value, dict):
                    reader.request(value, line)
                elif key == "prompts" and isinstance(value, dict):
                    reader.replayed(value, line)
        yield reader.done()


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._cwd: str | None = None

    def field(self, key: str, value: object) -> None:
        if key == "sessionId":
            self._out.tell(session_id=value)

    def request(self, request: dict[str, Any], line: int) -> None:
        message, time = request.get("message"), request.get("timestamp")
        self._out.ask(message if isinstance(message, str) else as_dict(message).get("text"))
        self._out.at_time(time)
        self._out.tell(model=request.get("modelId"))
        parts = dicts(request.get("response"))
        terminal = {_plain(p.get("toolCallId")): as_dict(p.get("toolSpecificData")) for p in parts}
        groups = [p for p in parts if p.get("kind") == "textEditGroup"]
        metadata = as_dict(as_dict(request.get("result")).get("metadata"))
        results = {_plain(k): v for k, v in as_dict(metadata.get("toolCallResults")).items()}
        named = False
        for round_ in dicts(metadata.get("toolCallRounds")):
            for call in dicts(round_.get("toolCalls")):
                named = True
                call_id = _plain(call.get("id"))
                self._call(call, terminal.get(call_id, {}), results.get(call_id), groups, line, time)
        if not named:
            for group in groups:
                self._ranges(group, line, time)

    def _call(
        self,
        call: dict[str, Any],
        about: dict[str, Any],
        result: object,
        groups: list[dict[str, Any]],
        line: int,
        time: object,
    ) -> None:
        name, args = as_text(call.get("name")), json_dict(call.get("arguments"))
        cwd = about.get("cwd")
        self._cwd = _path(cwd) or self._cwd
        args = {"input": call.get("arguments")} if args is None else args
        text = _result_text(result)
        failed = text if text.lstrip().startswith(_ERROR) else None
        edits = None
        if name == _BY_RANGES and failed is None:
            # The groups stand in the order of the calls that made them.
            wanted = as_text(args.get("filePath")).replace("\\", "/")
            at = next((i for i, g in enumerate(groups) if wanted and _path(g.get("uri")).endswith(wanted)), None)
            edits = _edits(groups.pop(at)) if at is not None else None
        key = self._out.call(call.get("id"), name, args, line, time=time, cwd=self._cwd, edits=edits)
        self._out.result(key, Outcome(failed))

    def _ranges(self, group: dict[str, Any], line: int, time: object) -> None:
        path = _path(group.get("uri"))
        if path and group.get("done") is not False:
            self._out.step("edit", {"path": path}, line, time=time, edits=_edits(group))

    def replayed(self, prompt: dict[str, Any], line: int) -> None:
        self._out.ask(prompt.get("prompt"))
        for log in dicts(prompt.get("logs")):
            if log.get("kind") == "toolCall":
                text = text_of(log.get("response"))
                args = json_dict(log.get("args")) or {}
                failed = text if text.lstrip().startswith(_ERROR) else None
                key = self._out.call(log.get("id"), log.get("tool"), args, line, time=log.get("time"))
                self._out.result(key, Outcome(failed))

    def event(self, event: dict[str, Any], line: int) -> None:
        """An event of Copilot CLI."""
        kind, data, time = event.get("type"), as_dict(event.get("data")), event.get("timestamp")
        self._out.at_time(time)
        if kind == "session.start":
            self._cwd = as_text(as_dict(data.get("context")).get("cwd")) or None
            self._out.work_in(self._cwd)
            self._out.tell(
                session_id=data.get("sessionId"), agent_version=data.get("copilotVersion"), agent="copilot-cli"
            )
        elif kind == "user.message":
            self._out.ask(data.get("content"))
        elif kind == "assistant.message":
            self._out.tell(model=data.get("model"))
            for call in dicts(data.get("toolRequests")):
                self._started(call, call.get("name"), line, time)
        elif kind == "tool.execution_start":
            self._started(data, data.get("toolName"), line, time)
        elif kind == "tool.execution_complete":
            error = data.get("error")
            why = text_of(as_dict(error).get("message", error)) or text_of(as_dict(data.get("result")).get("content"))
            self._out.result(
                data.get("toolCallId"), Outcome(failed=(why or "failed") if data.get("success") is False else None)
            )

    def _started(self, call: dict[str, Any], name: object, line: int, time: object) -> None:
        args = json_dict(call.get("arguments"))
        self._out.call(call.get("toolCallId"), name, args or call.get("arguments"), line, time=time, cwd=self._cwd)

    def done(self) -> Recorder:
        self._out.tell(agent="copilot")
        self._out.finish()
        return self._out


def _plain(call_id: object) -> str:
    return as_text(call_id).split("__vscode-")[0]


def _path(uri: object) -> str:
    if isinstance(uri, str):
        return uri.removeprefix("file://")
    return as_text(as_dict(uri).get("path")) or as_text(as_dict(uri).get("fsPath"))


def _edits(group: dict[str, Any]) -> list[dict[str, Any]]:
    """The batches of a group, each counted in the file as the one before left it."""
    batches = group.get("edits")
    path = _path(group.get("uri"))
    found = [dicts(batch) for batch in batches if isinstance(batch, list)] if isinstance(batches, list) else []
    return [{"path": path, "ranges": batch} for batch in found if batch]


def _result_text(result: object) -> str:
    found = as_dict(result)
    content = found.get("content", result)
    texts = [as_text(part.get("value")) for part in dicts(content) if isinstance(part.get("value"), str)]
    return "\n".join(texts) or text_of(content)

"""Cline, Roo and Kilo: the API history, the messages of the interface, and sessions of the Cline SDK.

`api_conversation_history.json` holds the calls, as tool_use blocks or, in older tasks, as XML in the text;
`ui_messages.json` what the user saw. A `final_file_content` in a result is what the file then held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.json_stream import Member
from agentbench_lsp.importers.core.outcome import Outcome, Truth
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.tags import elements
from agentbench_lsp.importers.core.values import Words, as_dict, as_text, dicts, json_dict, text_of

_XML_TOOLS = (
    *("write_to_file", "replace_in_file", "apply_diff", "execute_command", "read_file", "search_files", "list_files"),
    *("insert_content", "search_and_replace", "new_rule", "apply_patch", "browser_action", "use_mcp_tool"),
)
_RESULT = re.compile(r"\[(\w+)(?: for [^\n]*?)?\] Result:")
_FINAL = re.compile(r'<final_file_content path="([^"\n]{1,4096})">\n')
_FINAL_END = "\n</final_file_content>"
_TASK = ("task", "user_message")
_HEAD = 5_000  # characters of a result that say how it went
_CWD = re.compile(r"# Current (?:Working|Workspace) Directory \((.+?)\)")
_REFUSALS = (
    *("The tool execution failed", "The user denied this operation", "<error>", '"status":"denied"'),
    *("The user rejected", "Error executing", "Error writing", "Error applying"),
)
_UI_EDITS = {"newFileCreated": "write_to_file", "editedExistingFile": "replace_in_file", "appliedDiff": "apply_diff"}
_UI_KINDS = Words({"say", "ask"})


class Cline(Importer):
    name, title = "cline", "Cline, Roo, Kilo"

    def recognise(self, head: Head) -> str | None:
        if any(r.get("type") in _UI_KINDS and ("say" in r or "ask" in r) and "ts" in r for r in head.records):
            return "messages of the interface, of type say and ask"
        messages = head.items("messages")
        sdk = "sessionId" in head.fields and "agent" in head.fields and any("role" in m for m in messages)
        if sdk:
            return "a session of the Cline SDK"
        talk = [r for r in head.records if r.get("role") in ("user", "assistant") and r.get("content") is not None]
        texts = [text_of(r["content"])[:20_000] for r in talk]
        named = {as_text(p.get("name")) for r in talk for p in dicts(r["content"]) if p.get("type") == "tool_use"}
        if any("<environment_details>" in text for text in texts) or {*_XML_TOOLS} & named:
            return "an API history with the tools of Cline"
        return None

    def read(self, source: Source) -> Iterator[Recorder]:
        reader = _Reader(Recorder(self.name))
        reader.index(_index(source))
        for key, item, value, line in source.members() if source.head.shape == "document" else _lines(source):
            if item is None:
                reader.field(key, value)
            elif key in ("messages", "") and isinstance(value, dict):
                if "role" in value:
                    reader.message(value, line)
                else:
                    reader.shown(value, line)
        yield reader.done()


def _index(source: Source) -> dict[str, Any]:
    """The index beside the messages of an SDK session, which knows the working folder."""
    stem = source.path.name.removesuffix(".messages.json")
    beside = source.path.with_name(f"{stem}.json")
    if stem == source.path.name or not beside.is_file():
        return {}
    return next((as_dict(value) for value, _ in Source(beside).records()), {})


def _lines(source: Source) -> Iterator[Member]:
    for number, (value, line) in enumerate(source.records()):
        yield Member("", number, value, line)


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._cwd: str | None = None
        self._calls: dict[str, tuple[str, dict[str, Any]]] = {}
        self._xml: list[str] = []
        self._asked: dict[str, Any] | None = None

    def index(self, index: dict[str, Any]) -> None:
        self._cwd = as_text(index.get("cwd")) or None
        self._out.work_in(self._cwd)
        self._out.tell(model=index.get("model"), session_id=index.get("session_id"))

    def field(self, key: str, value: object) -> None:
        self._out.tell(**({"session_id": value} if key == "sessionId" else {}))

    def message(self, message: dict[str, Any], line: int) -> None:
        """A message of the API: Anthropic's blocks."""
        self._out.at_time(message.get("ts"))
        info, metrics = as_dict(message.get("modelInfo")), as_dict(message.get("metrics"))
        self._out.tell(model=info.get("id") or info.get("modelId"))
        self._out.add_tokens(
            input=metrics.get("inputTokens"),
            output=metrics.get("outputTokens"),
            cache_read=metrics.get("cacheReadTokens"),
        )
        content = message.get("content")
        if message.get("role") == "assistant":
            self._assistant(content, message.get("ts"), line)
        else:
            self._user(content)

    def _assistant(self, content: object, time: object, line: int) -> None:
        for part in dicts(content):
            if part.get("type") == "tool_use":
                name, args = as_text(part.get("name")), as_dict(part.get("input"))
                key = self._out.call(part.get("id"), name, args, line, time=time, cwd=self._cwd)
                if key is not None:
                    self._calls[key] = (name, args)
        for name, body in elements(text_of(content), _XML_TOOLS):
            args = {key: value.strip("\n") if key != "diff" else value for key, value in elements(body)}
            if "content" in args:
                args["content"] = args["content"].removesuffix("\n") + "\n"
            if args.get("line", "").isdecimal():
                args["line"] = int(args["line"])
            key = self._out.call(None, name, args, line, time=time, cwd=self._cwd)
            if key is not None:
                self._calls[key] = (name, args)
                self._xml.append(key)

    def _user(self, content: object) -> None:
        text = text_of(content)
        if folder := _CWD.search(text):
            self._cwd = folder[1]
            self._out.work_in(self._cwd)
        results = [part for part in dicts(content) if part.get("type") == "tool_result"]
        for part in results:
            key = as_text(part.get("tool_use_id"))
            self._done(key, text_of(part.get("content")), part.get("is_error") is True)
        if not results and self._xml:
            told = _RESULT.search(text[:_HEAD])
            self._done(self._xml.pop(0), text, told is None)
            self._xml.clear()  # one call is answered a turn
        elif not results:
            task = next((body for _, body in elements(text, _TASK)), None)
            parts = [p.get("text") for p in dicts(content) if p.get("type") == "text"]
            self._out.ask(task or (parts[0] if parts else text))
        for part in dicts(content):
            if (
                part.get("type") == "file"
                and isinstance(part.get("path"), str)
                and isinstance(part.get("content"), str)
            ):
                self._out.see(part["path"], part["content"], self._cwd)

    def _done(self, key: str, text: str, failed: bool) -> None:
        _, args = self._calls.pop(key, ("", {}))
        answer = json_dict(text) or {}
        refused = answer.get("success") is False or any(sign in text[:2000] for sign in _REFUSALS)
        if failed or refused:
            self._out.result(key, Outcome(failed=as_text(answer.get("error")) or text or "failed"))
            return
        path = next((as_text(args[k]) for k in ("path", "absolutePath", "file_path") if as_text(args.get(k))), "")
        final = _FINAL.search(text)
        end = text.find(_FINAL_END, final.end()) if final else -1
        truths = (Truth(path or final[1], content=text[final.end() : end], as_read=True),) if final and end >= 0 else ()
        self._out.result(key, Outcome(truths=truths))

    def shown(self, message: dict[str, Any], line: int) -> None:
        """A message of the interface."""
        if message.get("partial") is True:
            return
        said, asked, text = message.get("say"), message.get("ask"), as_text(message.get("text"))
        self._out.at_time(message.get("ts"))
        if said in ("task", "text") and not self._out.steps:
            self._out.ask(text)
        if self._asked is not None:
            self._out.step(
                **self._asked, outcome=Outcome(failed="not approved") if said == "user_feedback" else Outcome()
            )
            self._asked = None
        step = self._shown_step(said or asked, text, line, message.get("ts"))
        if step is not None and asked:
            self._asked = step  # what comes next tells whether it was done
        elif step is not None:
            self._out.step(**step)

    def _shown_step(self, kind: object, text: str, line: int, time: object) -> dict[str, Any] | None:
        if kind == "command":
            return {"tool": "execute_command", "args": {"command": text}, "line": line, "time": time, "cwd": self._cwd}
        told = json_dict(text) if kind == "tool" else None
        if told is None:
            return None
        tool, path = as_text(told.get("tool")), told.get("path")
        args = {k: v for k, v in told.items() if k in ("path", "content", "diff", "regex", "filePattern")}
        if tool in _UI_EDITS:
            body = as_text(told.get("diff")) or as_text(told.get("content"))
            key = "content" if tool == "newFileCreated" else "diff"
            args = {"path": path, key: body}
        return {"tool": _UI_EDITS.get(tool, tool), "args": args, "line": line, "time": time, "cwd": self._cwd}

    def done(self) -> Recorder:
        if self._asked is not None:
            self._out.step(**self._asked, outcome=Outcome(failed="interrupted: it was asked for and never approved"))
        self._out.tell(agent="cline")
        self._out.finish()
        return self._out

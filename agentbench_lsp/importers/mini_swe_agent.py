"""mini-swe-agent: the messages of a run, each with one shell command.

It edits with shell commands only, and replay does not run those: the submitted diff says what the run left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import Outcome
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.submission import submit
from agentbench_lsp.importers.core.values import as_dict, as_int, as_text, dicts, json_dict, text_of

_BLOCK = re.compile(r"```(?:mswea_bash_command|bash|sh)\s*\n(.*?)\n```", re.DOTALL)
_CODE = re.compile(r"<returncode>(-?\d+)</returncode>")
_END = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


class MiniSweAgent(Importer):
    name, title = "mini-swe-agent", "mini-swe-agent"

    def recognise(self, head: Head) -> str | None:
        if head.shape != "document":
            return None
        if as_text(head.fields.get("trajectory_format")).startswith("mini-swe-agent"):
            return "a trajectory_format of mini-swe-agent"
        if "mini_version" in as_dict(head.fields.get("info")):
            return "a version of mini-swe-agent"
        messages = head.items("messages") or head.records
        acts = any(m.get("role") == "assistant" and _BLOCK.search(text_of(m.get("content"))) for m in messages)
        told = any(m.get("role") == "user" and _CODE.search(text_of(m.get("content"))) for m in messages)
        return "messages with one bash block each and return codes" if acts and told else None

    def read(self, source: Source) -> Iterator[Recorder]:
        reader = _Reader(Recorder(self.name))
        for key, _item, value, line in source.members():
            if key in ("messages", "") and isinstance(value, dict):
                reader.message(value, line)
            elif key == "info":
                reader.info(as_dict(value))
        yield reader.done()


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._open: list[str] = []
        self._line = 1
        self._submission = ""
        self._cwd: str | None = None

    def message(self, message: dict[str, Any], line: int) -> None:
        self._line = line
        extra = as_dict(message.get("extra"))
        if message.get("type") == "function_call_output" or message.get("role") == "tool":
            self._result(message.get("call_id") or message.get("tool_call_id"), message, extra)
        elif message.get("role") == "user":
            text = text_of(message.get("content"))
            if _CODE.search(text) or self._open:
                self._result(None, message, extra)
            else:
                self._out.ask(text)
        elif message.get("role") == "assistant" or message.get("object") == "response":
            self._calls(message, extra, line)

    def _calls(self, message: dict[str, Any], extra: dict[str, Any], line: int) -> None:
        time = extra.get("timestamp")
        self._out.tell(model=as_dict(extra.get("response")).get("model"))
        usage = as_dict(as_dict(extra.get("response")).get("usage"))
        self._out.add_tokens(input=usage.get("prompt_tokens"), output=usage.get("completion_tokens"))
        actions = [(a.get("tool_call_id"), {"command": a.get("command")}) for a in dicts(extra.get("actions"))]
        if not actions:
            for call in dicts(message.get("tool_calls")):
                arguments = as_dict(call.get("function")).get("arguments")
                actions.append((call.get("id"), json_dict(arguments) or {"command": None}))
        if not actions:
            for item in dicts(message.get("output")):
                if item.get("type") == "function_call":
                    actions.append((item.get("call_id"), json_dict(item.get("arguments")) or {"command": None}))
        if not actions:
            actions = [(None, {"command": text}) for text in _BLOCK.findall(text_of(message.get("content")))[:1]]
        for call_id, args in actions:
            key = self._out.call(call_id, "bash", args, line, time=time, cwd=self._cwd)
            if key is not None:
                self._open.append(key)

    def _result(self, call_id: object, message: dict[str, Any], extra: dict[str, Any]) -> None:
        text = text_of(message.get("content", message.get("output")))
        found = _CODE.search(text)
        code = as_int(extra.get("returncode"))
        key = call_id if call_id in self._open else self._open[0] if self._open else None
        if key is None:
            return
        self._open.remove(str(key))
        refused = text if found is None and code is None and extra.get("exception_info") else None
        self._out.result(key, Outcome(refused, exit_code=int(found[1]) if found and code is None else code))

    def info(self, info: dict[str, Any]) -> None:
        self._submission = as_text(info.get("submission"))
        config = as_dict(info.get("config"))
        environment = as_dict(config.get("environment"))
        self._cwd = as_text(environment.get("cwd")) or None
        self._out.work_in(self._cwd)
        self._out.tell(
            agent_version=info.get("mini_version"),
            exit_status=info.get("exit_status"),
            model=as_dict(config.get("model")).get("model_name"),
        )

    def done(self) -> Recorder:
        self._out.tell(agent="mini-swe-agent")
        last = self._open[-1] if self._open else None
        call = self._out.open_call(last)
        if call is not None and _END in str(call["args"].get("command")):
            self._out.result(last, Outcome(exit_code=0))  # the run ends before its output is told
        submit(self._out, self._submission, self._line, self._cwd)
        self._out.finish()
        return self._out

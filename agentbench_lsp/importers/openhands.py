"""OpenHands: lists of events, and the output.jsonl of benchmarks, an instance a line.

A failed edit's observation holds the arguments of the call in the place of the file's content, and so does that of some
that were done: contents count where the observation says that the file was there before. The diff a benchmark run ends
with counts over the steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import UNKNOWN, Outcome, Truth
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.submission import submit
from agentbench_lsp.importers.core.values import Words, as_dict, as_int, as_text, dicts, text_of

_STEPS = Words({"run", "edit", "write", "read", "run_ipython", "browse", "browse_interactive", "call_tool_mcp"})
_KINDS = Words({"ActionEvent", "ObservationEvent", "AgentErrorEvent", "UserRejectObservation"})
_OLD_NOT_ARGS = {"action_risk", "kernel_init_code", "keep_prompt"}
_NOT_ARGS = Words(
    {
        "thought",
        "impl_source",
        "security_risk",
        "confirmation_state",
        "is_confirmed",
        "hidden",
        "action_risk",
        "kernel_init_code",
        "keep_prompt",
    }
)
_PYTHON = "python code ran that may have changed files"


class OpenHands(Importer):
    name, title = "openhands", "OpenHands"

    def recognise(self, head: Head) -> str | None:
        lists = [head.fields.get("history"), head.fields.get("trajectory")]
        entries = [entry for value in lists if isinstance(value, list) for entry in value]
        events = [*head.records, *(event for entry in entries for event in _events(entry))]
        for record in head.records if head.shape == "lines" else ():
            history = record.get("history")
            begins = history[:9] if isinstance(history, list) else []
            events += [event for entry in begins for event in _events(entry)]
            if any(key in record for key in ("instruction", "instance_id")) and any(_is_plain(e) for e in events):
                return "lines with an instruction and a history of actions"
        if any(_is_event(event) for event in events):
            return "events with an action and its args, or an observation and its cause"
        return None

    def read(self, source: Source) -> Iterator[Recorder]:
        if source.head.shape == "lines" and any("history" in record for record in source.head.records):
            for value, line in source.records():
                yield self._instance(value, line)
            return
        recorder = Recorder(self.name)
        reader = _Reader(recorder)
        about: dict[str, Any] = {}
        for key, item, value, line in source.members() if source.head.shape == "document" else _lines(source):
            if item is not None and key in ("", "history", "trajectory"):
                for event in _events(value):
                    reader.take(event, line)
            elif item is None:
                about[key] = value
        reader.about(about)
        recorder.instance = as_text(about.get("instance_id"))
        yield reader.done(_patch(about))

    def _instance(self, record: dict[str, Any], line: int) -> Recorder:
        issue = as_dict(record.get("issue"))
        number = issue.get("number")
        instance = as_text(record.get("instance_id")) or (f"issue-{number}" if number is not None else f"line-{line}")
        reader = _Reader(Recorder(self.name, instance))
        reader.about(record)
        history = record.get("history")
        for entry in history if isinstance(history, list) else ():
            for event in _events(entry):
                reader.take(event, line)
        return reader.done(_patch(record))


def _events(entry: object) -> list[dict[str, Any]]:
    """An event of a history, or its pair of action and observation."""
    return dicts(entry if isinstance(entry, list) else [entry])


def _is_plain(event: dict[str, Any]) -> bool:
    """An event of the first versions, which have no args and no cause."""
    return isinstance(event.get("action"), str) or isinstance(event.get("observation"), str)


def _is_event(event: dict[str, Any]) -> bool:
    if event.get("kind") in _KINDS:
        return True
    acts = isinstance(event.get("action"), str) and isinstance(event.get("args"), dict)
    return acts or (isinstance(event.get("observation"), str) and ("cause" in event or "extras" in event))


def _lines(source: Source) -> Iterator[tuple[str, int | None, Any, int]]:
    for number, (value, line) in enumerate(source.records()):
        yield "", number, value, line


def _patch(record: dict[str, Any]) -> str:
    return as_text(as_dict(record.get("test_result")).get("git_patch")) or as_text(record.get("git_patch"))


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._folder: str | None = None
        self._line = 1
        self._last: str | None = None
        self._calls: dict[str, dict[str, Any]] = {}

    def about(self, record: dict[str, Any]) -> None:
        metadata = as_dict(record.get("metadata"))
        self._out.tell(
            model=as_dict(metadata.get("llm_config")).get("model"),
            agent_version=metadata.get("agent_version"),
            error=record.get("error"),
        )
        usage = as_dict(as_dict(record.get("metrics")).get("accumulated_token_usage"))
        self._out.add_tokens(
            input=usage.get("prompt_tokens"),
            output=usage.get("completion_tokens"),
            cache_read=usage.get("cache_read_tokens"),
        )
        self._out.ask(record.get("instruction"))

    def take(self, event: dict[str, Any], line: int) -> None:
        self._line = line
        self._out.at_time(event.get("timestamp"))
        if event.get("kind") in _KINDS or "tool_name" in event:
            self._new(event, line)
        elif isinstance(event.get("observation"), str):
            self._observed(event)
        elif isinstance(event.get("action"), str):
            self._acted(event, line)

    def _acted(self, event: dict[str, Any], line: int) -> None:
        action, args = event["action"], event.get("args")
        if not isinstance(args, dict):
            args = {k: v for k, v in event.items() if k not in _NOT_ARGS and k not in ("action", "observation")}
        if action == "message" and event.get("source") == "user":
            self._out.ask(as_text(args.get("content")) or as_text(event.get("message")))
        function = as_text(as_dict(event.get("tool_call_metadata")).get("function_name"))
        if action not in _STEPS:
            return
        kept = {k: v for k, v in args.items() if v is not None and k not in _NOT_ARGS}
        tool = function if function and action in ("run", "edit") else action
        edits = None
        if action == "edit":
            kept, edits = _edit_args(kept)
        elif action == "write" and kept.get("start", 0) in (0, None) and kept.get("end", -1) in (-1, None):
            kept = {"path": kept.get("path"), "content": kept.get("content")}
        elif action == "run" and kept.get("is_input") is True:
            tool = "run_input"
        call_id = _id(event.get("id"))
        key = self._out.call(call_id, tool, kept, line, time=event.get("timestamp"), cwd=self._folder, edits=edits)
        if key is not None:
            self._calls[key] = {"action": action, **kept}
            self._last = key

    def _observed(self, event: dict[str, Any]) -> None:
        kind, content, extras = event["observation"], text_of(event.get("content")), as_dict(event.get("extras"))
        call_id = _id(event.get("cause")) or self._last
        call = self._calls.pop(call_id or "", {})
        metadata = as_dict(extras.get("metadata"))
        if folder := as_text(metadata.get("working_dir")):
            self._folder = self._folder or folder
            self._out.work_in(folder)
        failed = kind in ("error", "user_rejected") or (kind != "run" and content.lstrip().startswith("ERROR:"))
        if failed:
            self._out.result(call_id, Outcome(failed=content or kind))
        elif kind == "edit":
            self._out.result(call_id, Outcome(truths=tuple(_truth(call, extras))))
        elif kind == "run":
            code = as_int(metadata.get("exit_code", extras.get("exit_code")))
            self._out.result(call_id, Outcome(exit_code=None if code == -1 else code))
        else:
            self._out.result(call_id, Outcome(doubt=_PYTHON if call.get("action") == "run_ipython" else None))

    def _new(self, event: dict[str, Any], line: int) -> None:
        """An event of the agent SDK."""
        action, seen = as_dict(event.get("action")), as_dict(event.get("observation"))
        kind = event.get("kind")
        if kind == "ActionEvent" or (kind is None and action):
            args = {k: v for k, v in action.items() if v is not None and k not in ("kind", *_NOT_ARGS)}
            call_id = event.get("tool_call_id") or event.get("id")
            key = self._out.call(call_id, event.get("tool_name"), args, line, time=event.get("timestamp"))
            if key is not None:
                self._calls[as_text(event.get("id")) or key] = {"action": "edit", "key": key, **args}
            return
        call = self._calls.pop(as_text(event.get("action_id")), {})
        key = call.get("key") or event.get("tool_call_id")
        if kind in ("AgentErrorEvent", "UserRejectObservation"):
            self._out.result(
                key, Outcome(failed=as_text(event.get("error")) or as_text(event.get("rejection_reason")) or kind)
            )
            return
        error = seen.get("error") or (text_of(seen.get("content")) if seen.get("is_error") is True else None)
        if error:
            self._out.result(key, Outcome(failed=text_of(error) if not isinstance(error, bool) else "error"))
        else:
            truths = tuple(_truth(call, {**seen, "impl_source": "sdk"})) if "new_content" in seen else ()
            self._out.result(key, Outcome(truths=truths, exit_code=as_int(seen.get("exit_code"))))

    def done(self, patch: str) -> Recorder:
        self._out.tell(agent="openhands")
        submit(self._out, patch, self._line, self._folder)
        self._out.finish()
        return self._out


def _id(value: object) -> str | None:
    return None if value is None else f"event {value}"


def _edit_args(args: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]] | None]:
    """Arguments of an edit without those of its other variants, and what they say where that is no call of a tool."""
    names = {"create": ("file_text",), "str_replace": ("old_str", "new_str"), "insert": ("insert_line", "new_str")}
    command = as_text(args.get("command"))
    if command in names:
        return {k: args[k] for k in ("command", "path", *names[command]) if k in args}, None
    if command:
        return {k: args[k] for k in ("command", "path") if k in args}, None
    # A draft of a model, which another one put in: only the observation knows.
    return {k: args[k] for k in ("path", "content", "start", "end") if k in args}, []


def _truth(call: dict[str, Any], extras: dict[str, Any]) -> Iterator[Truth]:
    path = as_text(extras.get("path")) or as_text(call.get("path"))
    old, new = extras.get("old_content"), extras.get("new_content")
    there = extras.get("prev_exist") is True
    # Some recordings have the arguments of the call in the place of the file.
    arguments = call.get("command") == "str_replace" and (not there or old == call.get("old_str"))
    if not path or not isinstance(new, str) or arguments:
        return
    original = old if isinstance(old, str) and there else None if not there else UNKNOWN
    if call.get("command") == "create" or there or extras.get("impl_source") == "llm_based_edit":
        yield Truth(path, original, new)

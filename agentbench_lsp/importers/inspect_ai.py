"""Inspect AI: logs as .eval archives and as JSON; each sample is a session.

Long texts are stored apart, as `attachment://…`; they are put back in. A tool's call failed where its result has an
error.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.json_stream import BrokenJsonError, members
from agentbench_lsp.importers.core.outcome import Outcome
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.values import as_dict, as_text, dicts, json_dict, text_of

_ATTACHMENT = "attachment://"
_LARGEST = 1 << 30  # bytes of one unpacked sample


class InspectAi(Importer):
    name, title = "inspect", "Inspect AI"

    def recognise(self, head: Head) -> str | None:
        if head.shape == "zip":
            ours = any(name.startswith("samples/") for name in head.names) or "header.json" in head.names
            return "an archive with samples" if ours else None
        if isinstance(head.fields.get("eval"), dict) and ("samples" in head.fields or "plan" in head.fields):
            return "a log with eval, plan and samples"
        return None

    def read(self, source: Source) -> Iterator[Recorder]:
        about: dict[str, Any] = {}
        if source.head.shape == "zip":
            yield from self._archive(source)
            return
        for key, item, value, line in source.members():
            if key == "eval":
                about = as_dict(value)
            elif key == "samples" and item is not None and isinstance(value, dict):
                yield _session(self.name, value, about, line, None)

    def _archive(self, source: Source) -> Iterator[Recorder]:
        with zipfile.ZipFile(source.path) as archive:
            about: dict[str, Any] = {}
            for info in sorted(archive.infolist(), key=lambda each: (each.filename != "header.json", each.filename)):
                name = info.filename
                if name != "header.json" and not (name.startswith("samples/") and name.endswith(".json")):
                    continue
                if info.file_size > _LARGEST:
                    source.notes.append(f"{name} is larger than {_LARGEST} bytes; it was left out")
                    continue
                value = _unpacked(archive, info, source)
                if name == "header.json":
                    about = as_dict(value.get("eval"))
                elif value:
                    yield _session(self.name, value, about, 1, name)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, source: Source) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    try:
        with archive.open(info) as file:
            text = io.TextIOWrapper(file, "utf-8", errors="replace")
            for key, item, value, _ in members(iter(lambda: text.read(1 << 16), "")):
                if item is None:
                    fields[key] = value
                else:
                    fields.setdefault(key, []).append(value)
    except (BrokenJsonError, zipfile.BadZipFile, NotImplementedError, OSError, EOFError) as exc:
        source.notes.append(f"{info.filename} cannot be read: {exc}")
    return fields


def _session(name: str, sample: dict[str, Any], about: dict[str, Any], line: int, file: str | None) -> Recorder:
    identity = f"{sample.get('id', '?')}_epoch_{sample.get('epoch', 1)}"
    out = Recorder(name, identity)
    attached = {k: v for k, v in as_dict(sample.get("attachments")).items() if isinstance(v, str)}
    out.tell(agent="inspect", model=about.get("model"), task=about.get("task"), session_id=sample.get("uuid"))
    out.ask(text_of(_resolved(sample.get("input"), attached)))
    tools = [e for e in dicts(sample.get("events")) if e.get("event") == "tool"]
    if tools:
        for event in tools:
            _event(out, _resolved(event, attached), line, file)
    else:
        _messages(out, dicts(_resolved(sample.get("messages"), attached)), line, file)
    out.finish()
    return out


def _event(out: Recorder, event: dict[str, Any], line: int, file: str | None) -> None:
    args = json_dict(event.get("arguments")) or {}
    key = out.call(event.get("id"), event.get("function"), args, line, time=event.get("timestamp"), file=file)
    error = as_dict(event.get("error"))
    failed = as_text(error.get("message")) or as_text(error.get("type")) if error else None
    if failed is None and event.get("failed") is True:
        failed = "failed"
    if failed is None and event.get("pending") is True:
        failed = "interrupted: it was still running"
    out.result(key, Outcome(failed))


def _messages(out: Recorder, messages: list[dict[str, Any]], line: int, file: str | None) -> None:
    for message in messages:
        if message.get("role") == "assistant":
            for call in dicts(message.get("tool_calls")):
                args = json_dict(call.get("arguments")) or {}
                key = out.call(call.get("id"), call.get("function"), args, line, file=file)
                if call.get("parse_error"):
                    out.result(key, Outcome(failed=as_text(call["parse_error"])))
        elif message.get("role") == "tool":
            error = as_dict(message.get("error"))
            failed = as_text(error.get("message")) or as_text(error.get("type")) if error else None
            out.result(message.get("tool_call_id"), Outcome(failed))


def _resolved(value: Any, attached: dict[str, str]) -> Any:
    """The value with its attachments in their places."""
    if not attached or _ATTACHMENT not in json.dumps(value, default=str):
        return value
    if isinstance(value, str):
        return attached.get(value.removeprefix(_ATTACHMENT), value) if value.startswith(_ATTACHMENT) else value
    if isinstance(value, list):
        return [_resolved(item, attached) for item in value]
    if isinstance(value, dict):
        return {key: _resolved(item, attached) for key, item in value.items()}
    return value

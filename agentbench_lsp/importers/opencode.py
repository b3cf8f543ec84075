"""OpenCode: `opencode export`, the lines of `opencode run --format json`, and rows of its database.

A tool's part is applied once its state is `completed`. Patches of `apply_patch` are the envelope that Codex uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import NO_RESULT, Outcome, Truth
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.values import as_dict, as_int, as_text, dicts, json_dict


class OpenCode(Importer):
    name, title = "opencode", "OpenCode"

    def recognise(self, head: Head) -> str | None:
        info = as_dict(head.fields.get("info"))
        if "messages" in head.fields and (as_text(info.get("id")).startswith("ses_") or "directory" in info):
            return "an export with info and messages"
        if any(
            as_text(r.get("sessionID")).startswith("ses_") and isinstance(r.get("part"), dict) for r in head.records
        ):
            return "events with a sessionID and a part"
        if any(as_text(r.get("session_id")).startswith("ses_") and "data" in r for r in head.records):
            return "rows of messages with a session_id"
        if any("parts" in r and isinstance(r.get("info"), dict) for r in head.records):
            return "messages with info and parts"
        return None

    def read(self, source: Source) -> Iterator[Recorder]:
        readers: dict[str, _Reader] = {}
        about: dict[str, Any] = {}
        for key, value, line in _values(source):
            if key == "info":
                about = as_dict(value)
                continue
            row = as_dict(value)
            session = as_text(row.get("session_id")) or as_text(row.get("sessionID"))
            session = session or as_text(as_dict(row.get("info")).get("sessionID"))
            readers.setdefault(session, _Reader(Recorder(self.name))).take(row, line)
        readers = readers or {"": _Reader(Recorder(self.name))}
        for session, reader in readers.items():
            yield reader.done(about, session if len(readers) > 1 else "")


def _values(source: Source) -> Iterator[tuple[str, Any, int]]:
    if source.head.shape == "document":
        for key, item, value, line in source.members():
            if key == "info" or (key in ("messages", "") and item is not None):
                yield key, value, line
    else:
        for value, line in source.records():
            yield "", value, line


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._cwd: str | None = None

    def take(self, row: dict[str, Any], line: int) -> None:
        data = json_dict(row.get("data"))
        if data is not None:
            self._row(data, line)
        elif isinstance(row.get("part"), dict):
            self._part(row["part"], line, row.get("timestamp"), "assistant")
        else:
            info = as_dict(row.get("info"))
            self._about(info)
            for part in dicts(row.get("parts")):
                self._part(part, line, None, as_text(info.get("role")))

    def _row(self, data: dict[str, Any], line: int) -> None:
        self._about(data)
        self._part(data, line, None, as_text(data.get("role")))

    def _about(self, info: dict[str, Any]) -> None:
        path, model = as_dict(info.get("path")), as_dict(info.get("model"))
        cwd = as_text(path.get("cwd"))
        if cwd and cwd != "/":
            self._cwd = cwd
            self._out.work_in(cwd)
        self._out.tell(model=info.get("modelID") or model.get("modelID") or model.get("id"))
        time = as_dict(info.get("time"))
        self._out.at_time(time.get("created"))
        self._out.at_time(time.get("completed"))
        tokens = as_dict(info.get("tokens"))
        cache = as_dict(tokens.get("cache"))
        self._out.add_tokens(input=tokens.get("input"), output=tokens.get("output"), cache_read=cache.get("read"))

    def _part(self, part: dict[str, Any], line: int, time: object, role: str) -> None:
        if part.get("type") == "text" and role == "user" and not part.get("synthetic"):
            self._out.ask(part.get("text"))
        if part.get("type") != "tool":
            return
        state = as_dict(part.get("state"))
        args, tool = as_dict(state.get("input")), as_text(part.get("tool"))
        time = as_dict(state.get("time")).get("start", time)
        cwd = as_text(args.get("workdir")) or self._cwd
        key = self._out.call(part.get("callID"), tool, args, line, time=time, cwd=cwd)
        self._out.result(key, _outcome(tool, args, state))

    def done(self, about: dict[str, Any], instance: str) -> Recorder:
        self._out.instance = instance
        self._out.work_in(about.get("directory"))
        model = as_dict(about.get("model"))
        self._out.tell(
            agent="opencode",
            agent_version=about.get("version"),
            session_id=about.get("id") or instance,
            model=model.get("modelID") or model.get("id"),
        )
        self._out.finish()
        return self._out


def _outcome(tool: str, args: dict[str, Any], state: dict[str, Any]) -> Outcome:
    status, metadata = state.get("status"), as_dict(state.get("metadata"))
    if status == "error":
        return Outcome(failed=as_text(state.get("error")) or "error")
    if status != "completed":
        return NO_RESULT
    return Outcome(truths=tuple(_truths(tool, args, metadata)), exit_code=as_int(metadata.get("exit")))


def _truths(tool: str, args: dict[str, Any], metadata: dict[str, Any]) -> Iterator[Truth]:
    """Diffs are recorded, contents are not: they tell where a lenient match was made."""
    path = as_text(args.get("filePath"))
    diff = as_text(metadata.get("diff")) or as_text(as_dict(metadata.get("filediff")).get("patch"))
    if path and diff and tool in ("edit", "multiedit", "patch"):
        yield Truth(path, diff=diff, as_read=True)

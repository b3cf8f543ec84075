"""Claude Code: the JSONL of a session, with the files of its sub-agents.

`~/.claude/projects/<project>/<session>.jsonl`, and what `claude --output-format stream-json` prints. Sub-agents are
found in `<session>/subagents/` and beside the session, by its id; their steps are put in by time. What an edit left is
taken from `originalFile` and `structuredPatch`; a change that the user made to it counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import UNKNOWN, Content, Outcome, Truth
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Record, Source
from agentbench_lsp.importers.core.values import Words, as_dict, as_int, as_text, dicts, text_of

_TALK = Words({"user", "assistant"})
_OTHERS = Words({"summary", "system", "progress", "attachment", "file-history-snapshot", "queue-operation"})
_MOST_SUB_AGENTS = 1000
_NO_PROMPT = (
    "<command-",
    "<local-command",
    "Caveat:",
    "[Request interrupted",
    "<system-reminder",
    "<task-notification",
)


class ClaudeCode(Importer):
    name, title = "claude-code", "Claude Code"

    def recognise(self, head: Head) -> str | None:
        if head.shape not in ("lines", "document"):
            return None
        ours = [r for r in head.records if any(key in r for key in ("sessionId", "session_id", "uuid", "leafUuid"))]
        if any(r.get("type") in _TALK and isinstance(r.get("message"), dict) for r in ours):
            return "records of type user and assistant with a message and a session"
        # A long session may begin with many records that are none of its talk.
        other = any(r.get("type") in _OTHERS and "type" in r and ("cwd" in r or "parentUuid" in r) for r in ours)
        return "records of a session of Claude Code" if other else None

    def read(self, source: Source) -> Iterator[Recorder]:
        reader = _Reader(Recorder(self.name))
        for entry in _merged(source):
            reader.take(entry)
        yield reader.done()


class _Entry(NamedTuple):
    stamp: str
    file: str | None  # of a sub-agent
    record: Record


def _merged(source: Source) -> Iterator[_Entry]:
    """Records of the session and its sub-agents, by time."""
    streams = [_entries(source, None)]
    if source.text is None:
        for path in _sub_agents(source):
            other = Source(path, notes=source.notes)
            name = path.relative_to(source.path.parent).as_posix()
            streams.append(_entries(other, name))
    return heapq.merge(*streams, key=lambda entry: entry.stamp) if len(streams) > 1 else streams[0]


def _entries(source: Source, file: str | None) -> Iterator[_Entry]:
    stamp = ""
    for record in source.records():
        # A record without a time, or with an earlier one, stays where it stands.
        stamp = max(stamp, as_text(record.value.get("timestamp")))
        yield _Entry(stamp, file, record)


def _sub_agents(source: Source) -> Iterator[Path]:
    path = source.path
    session = next((r["sessionId"] for r in source.head.records if as_text(r.get("sessionId"))), None)
    if any(r.get("isSidechain") is True and r.get("agentId") for r in source.head.records[:3]):
        return
    try:
        inner = sorted((path.with_suffix("") / "subagents").glob("agent-*.jsonl"))
        beside = sorted(p for p in path.parent.glob("*agent-*.jsonl") if p != path)
    except OSError:
        return
    yield from inner[:_MOST_SUB_AGENTS]
    for other in beside[:_MOST_SUB_AGENTS]:
        try:
            records = Source(other).head.records
        except OSError:
            continue
        if session and any(r.get("sessionId") == session and r.get("isSidechain") is True for r in records):
            yield other


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._seen: set[str] = set()
        self._usage: dict[str, dict[str, Any]] = {}
        self._tools: dict[str, tuple[str, dict[str, Any]]] = {}

    def take(self, entry: _Entry) -> None:
        record, line = entry.record
        uuid = as_text(record.get("uuid"))
        if uuid and uuid in self._seen:
            return
        self._seen.add(uuid)
        out, kind = self._out, record.get("type")
        if entry.file is None:
            out.work_in(record.get("cwd"))
        out.tell(
            agent_version=record.get("version") or record.get("claude_code_version"),
            session_id=record.get("sessionId") or record.get("session_id"),
            git_branch=record.get("gitBranch"),
        )
        message = record.get("message")
        if kind not in _TALK or not isinstance(message, dict):
            return
        out.at_time(record.get("timestamp"))
        if kind == "assistant":
            self._assistant(entry, message, line)
        else:
            self._user(entry, message)

    def _assistant(self, entry: _Entry, message: dict[str, Any], line: int) -> None:
        record = entry.record.value
        model = as_text(message.get("model"))
        self._out.tell(model=model if not model.startswith("<") else None)
        if isinstance(message.get("usage"), dict):
            self._usage[as_text(message.get("id")) or f"#{line}"] = message["usage"]
        for part in dicts(message.get("content")):
            if part.get("type") != "tool_use":
                continue
            args = part.get("input")
            more = {"time": record.get("timestamp"), "cwd": record.get("cwd"), "file": entry.file}
            key = self._out.call(part.get("id"), part.get("name"), args, line, **more)
            if key is not None:
                self._tools[key] = (as_text(part.get("name")), as_dict(args))

    def _user(self, entry: _Entry, message: dict[str, Any]) -> None:
        record, content = entry.record.value, message.get("content")
        results = [part for part in dicts(content) if part.get("type") == "tool_result"]
        for part in results:
            tool, args = self._tools.pop(as_text(part.get("tool_use_id")), ("", {}))
            about = record.get("toolUseResult", record.get("tool_use_result"))
            self._out.result(part.get("tool_use_id"), _outcome(tool, args, part, about if len(results) == 1 else None))
        quiet = record.get("isMeta") or record.get("isSidechain") or record.get("isCompactSummary")
        text = text_of(content)
        if not results and not quiet and not text.lstrip().startswith(_NO_PROMPT):
            self._out.ask(text)

    def done(self) -> Recorder:
        for usage in self._usage.values():
            self._out.add_tokens(
                input=usage.get("input_tokens"),
                output=usage.get("output_tokens"),
                cache_read=usage.get("cache_read_input_tokens"),
                cache_write=usage.get("cache_creation_input_tokens"),
            )
        self._out.tell(agent="claude-code")
        self._out.finish()
        return self._out


def _outcome(tool: str, args: dict[str, Any], part: dict[str, Any], about: object) -> Outcome:
    text = text_of(part.get("content"))
    if part.get("is_error") is True or (isinstance(about, str) and about.startswith(("Error: ", "User rejected"))):
        if tool == "Bash" and (code := exit_code(text)) is not None:
            return Outcome(exit_code=code)
        return Outcome(failed=text.replace("<tool_use_error>", "").replace("</tool_use_error>", "") or str(about))
    found = as_dict(about)
    if tool in ("Bash", "PowerShell"):
        running = bool(found.get("interrupted") or found.get("backgroundTaskId"))
        return Outcome(exit_code=None if running else 0)
    if tool == "Read":
        return Outcome(seen=tuple(_seen(found)))
    return claude_truth(tool, args, found)


def exit_code(text: str) -> int | None:
    """The code of `Exit code N` at the start of a result."""
    words = text.split(maxsplit=3)
    if words[:2] == ["Exit", "code"] and words[2:] and words[2].isdecimal():
        return int(words[2])
    return None


def _seen(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    file = as_dict(found.get("file"))
    path, content = file.get("filePath"), file.get("content")
    whole = file.get("startLine") == 1 and file.get("numLines") == file.get("totalLines")
    if isinstance(path, str) and isinstance(content, str) and whole:
        yield path, content


def claude_truth(tool: str, args: dict[str, Any], found: dict[str, Any]) -> Outcome:
    """What `toolUseResult` says of an edit."""
    if tool == "NotebookEdit":
        if as_text(found.get("error")):
            return Outcome(failed=as_text(found.get("error")))
        path = as_text(found.get("notebook_path")) or as_text(args.get("notebook_path"))
        return Outcome(truths=(Truth(path, _text(found, "original_file"), _text(found, "updated_file")),))
    path = as_text(found.get("filePath")) or as_text(args.get("file_path"))
    if tool not in ("Write", "Edit", "MultiEdit") or not path or not found:
        return Outcome()
    original = _text(found, "originalFile", "originalFileContents")
    modified = found.get("userModified") is True
    diff = diff_of(found.get("structuredPatch"))
    if tool == "Write":
        original = None if found.get("type") == "create" and isinstance(original, type(UNKNOWN)) else original
        content = UNKNOWN if modified and diff else _text(found, "content")
        return Outcome(truths=(Truth(path, original, content, diff, call_counts=not modified),))
    return Outcome(truths=(Truth(path, original, UNKNOWN, diff, as_read=True, call_counts=not modified),))


def _text(found: dict[str, Any], *names: str) -> Content:
    return next((found[name] for name in names if isinstance(found.get(name), str)), UNKNOWN)


def diff_of(hunks: object) -> str | None:
    """A unified diff of a `structuredPatch`; None where there is none."""
    lines: list[str] = []
    for hunk in dicts(hunks):
        numbers = [as_int(hunk.get(key)) for key in ("oldStart", "oldLines", "newStart", "newLines")]
        texts = hunk.get("lines")
        if None in numbers or not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            return None
        lines += ["@@ -{},{} +{},{} @@".format(*numbers), *texts]
    return "\n".join([*lines, ""]) if lines else None

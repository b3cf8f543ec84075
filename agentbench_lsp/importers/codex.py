"""Codex CLI: the rollout of a session.

`~/.codex/sessions/…/rollout-*.jsonl`. Patches come as calls of apply_patch, as here-documents of shell commands, or out
of scripts (code mode). What they did is taken from `patch_apply_end` events or completed `FileChange` items where they
are recorded, and held against the call; a patch that is told twice is applied once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.here_documents import patches
from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import UNKNOWN, Outcome, Truth
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.values import Words, as_dict, as_int, as_text, dicts, json_dict, text_of

_LINES = Words({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_OLD_ITEMS = Words({"function_call", "function_call_output", "local_shell_call"})
_NO_PROMPT = ("<environment_context", "<user_instructions", "<permissions", "# AGENTS.md", "<skill", "<turn_aborted")
_FAILURES = (
    "apply_patch verification failed",
    "patch rejected",
    "aborted by user",
    "exec_command failed",
    "Script error",
)
_SCRIPT = "a script that may have run commands; the recording does not say which files they changed"


class Codex(Importer):
    name, title = "codex", "Codex CLI"

    def recognise(self, head: Head) -> str | None:
        if head.shape not in ("lines", "document"):
            return None
        if any(r.get("type") in _LINES and isinstance(r.get("payload"), dict) for r in head.records):
            return "lines of type session_meta, response_item, event_msg with a payload"
        if any(r.get("type") in _OLD_ITEMS and "call_id" in r for r in head.records):
            return "items of type function_call with a call_id"
        return None

    def read(self, source: Source) -> Iterator[Recorder]:
        reader = _Reader(Recorder(self.name))
        for value, line in source.records():
            reader.take(value, line)
        yield reader.done()


class _Reader:
    def __init__(self, recorder: Recorder) -> None:
        self._out = recorder
        self._cwd: str | None = None
        self._told: dict[str, Outcome] = {}  # what events say of calls that have no output yet
        self._usage: dict[str, Any] = {}
        self._last: str | None = None
        self._item_of_scripts = False

    def take(self, record: dict[str, Any], line: int) -> None:
        kind, payload = record.get("type"), record.get("payload")
        if not isinstance(payload, dict):
            kind, payload = "response_item", record
        time = record.get("timestamp")
        self._out.at_time(time)
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            self._cwd = as_text(payload.get("cwd")) or self._cwd
            self._out.work_in(self._cwd)
            self._out.tell(model=payload.get("model"))
        elif kind == "response_item":
            self._item(payload, line, time)
        elif kind == "event_msg":
            self._event(payload, line, time)

    def _meta(self, payload: dict[str, Any]) -> None:
        git = as_dict(payload.get("git"))
        self._out.tell(
            session_id=payload.get("id"),
            agent_version=payload.get("cli_version"),
            git_branch=git.get("branch"),
            git_commit=git.get("commit_hash"),
        )
        self._cwd = as_text(payload.get("cwd")) or self._cwd
        self._out.work_in(self._cwd)

    def _item(self, item: dict[str, Any], line: int, time: object) -> None:
        kind, call_id = item.get("type"), item.get("call_id")
        if kind == "message" and item.get("role") == "user":
            self._ask(text_of(item.get("content")))
        elif kind in ("function_call", "tool_call"):
            name = item.get("name") or as_dict(item.get("function")).get("name")
            arguments = item.get("arguments")
            args = json_dict(arguments)
            self._call(call_id, name, {"input": arguments} if args is None else args, line, time)
        elif kind == "custom_tool_call":
            text = item.get("input")
            args = json_dict(text) if item.get("name") in ("shell", "exec_command") else None
            self._call(call_id, item.get("name"), {"input": text} if args is None else args, line, time)
        elif kind == "local_shell_call":
            action = as_dict(item.get("action"))
            args = {"command": action.get("command"), "workdir": action.get("working_directory")}
            self._call(call_id, "local_shell", args, line, time)
        elif kind == "web_search_call":
            self._out.step("web_search", as_dict(item.get("action")), line, time=time, cwd=self._cwd)
        elif kind in ("function_call_output", "custom_tool_call_output", "tool_result"):
            self._output(call_id or self._last, item.get("output", item.get("result")))

    def _ask(self, text: str) -> None:
        if not text.lstrip().startswith(_NO_PROMPT):
            self._out.ask(text)

    def _call(self, call_id: object, name: object, args: dict[str, Any], line: int, time: object) -> None:
        cwd = as_text(args.get("workdir")) or as_text(args.get("cwd")) or self._cwd
        edits = None
        for key in ("command", "cmd"):
            command = args.get(key)
            if isinstance(command, list) and all(isinstance(word, str) for word in command):
                found = patches(command)
            else:
                found = patches(as_text(command)) if "patch" in as_text(command) else []
            if found:
                edits = [{"patch": patch} for patch, _ in found]
                cwd = _below(cwd, found[0][1])
        self._last = self._out.call(call_id, name, args, line, time=time, cwd=cwd, edits=edits)

    def _output(self, call_id: object, output: object) -> None:
        raw = self._out.open_call(call_id)
        if raw is None:
            return
        told = self._told.pop(as_text(call_id), None)
        code, text = _result(output)
        failed = told.failed if told else None
        edits = raw["tool"] == "apply_patch" or "edits" in raw
        if told is None and (text.lstrip().startswith(_FAILURES) or (edits and code not in (0, None))):
            failed = text or f"exit code {code}"
        doubt = _SCRIPT if raw["tool"] == "exec" and not self._item_of_scripts else None
        told_code = told.exit_code if told else None
        code = told_code if code is None else code
        self._out.result(call_id, Outcome(failed, told.truths if told else (), (), code, doubt))

    def _event(self, event: dict[str, Any], line: int, time: object) -> None:
        kind = event.get("type")
        if kind == "user_message":
            self._ask(as_text(event.get("message")))
        elif kind == "patch_apply_end":
            failed = None if event.get("success") is True else _why(event)
            self._patched(event.get("call_id"), event.get("changes"), failed, line, time)
        elif kind == "exec_command_end":
            self._ran(event.get("call_id"), event, line, time)
        elif kind == "item_completed":
            self._completed(as_dict(event.get("item")), line, time)
        elif kind == "token_count":
            self._usage = as_dict(as_dict(event.get("info")).get("total_token_usage")) or self._usage

    def _completed(self, item: dict[str, Any], line: int, time: object) -> None:
        kind = as_text(item.get("type")).lower().replace("_", "")
        if kind == "filechange":
            failed = None if item.get("status") == "completed" else _why(item)
            self._patched(item.get("id"), item.get("changes"), failed, line, time)
        elif kind == "commandexecution":
            self._ran(item.get("id"), item, line, time)

    def _patched(self, call_id: object, changes: object, failed: str | None, line: int, time: object) -> None:
        outcome = Outcome(failed, () if failed else tuple(_truths(changes)))
        if self._out.is_open(call_id):
            self._told[as_text(call_id)] = outcome
        elif self._out.call(call_id, "apply_patch", {}, line, time=time, cwd=self._cwd) is not None:
            self._out.result(call_id, outcome)  # out of a script, which is no call of its own

    def _ran(self, call_id: object, about: dict[str, Any], line: int, time: object) -> None:
        code = as_int(about.get("exit_code"))
        if self._out.is_open(call_id):
            self._told.setdefault(as_text(call_id), Outcome(exit_code=code))
            return
        self._item_of_scripts = True
        args, cwd = {"command": about.get("command")}, as_text(about.get("cwd")) or self._cwd
        if self._out.call(call_id, "exec_command", args, line, time=time, cwd=cwd) is not None:
            self._out.result(call_id, Outcome(exit_code=code))

    def done(self) -> Recorder:
        usage = self._usage
        self._out.add_tokens(
            input=usage.get("input_tokens"),
            output=usage.get("output_tokens"),
            cache_read=usage.get("cached_input_tokens"),
        )
        self._out.tell(agent="codex")
        self._out.finish()
        return self._out


def _below(cwd: str | None, folder: str | None) -> str | None:
    if folder is None:
        return cwd
    return folder if folder.startswith("/") or cwd is None else f"{cwd}/{folder}"


def _why(about: dict[str, Any]) -> str:
    texts = (about.get("stderr"), about.get("stdout"), about.get("status"))
    return next((text for text in texts if isinstance(text, str) and text), "the patch was not applied")


def _truths(changes: object) -> Iterator[Truth]:
    """The files of a patch; `changes` is an object by path, or a list of objects with a path."""
    pairs = list(changes.items()) if isinstance(changes, dict) else [(c.get("path"), c) for c in dicts(changes)]
    for path, value in pairs:
        change = as_dict(value)
        kind = change.get("type") or as_dict(change.get("kind")).get("type") or change.get("kind")
        if kind is None and len(change) == 1:  # {"update": {…}}
            kind, change = next((key, as_dict(inner)) for key, inner in change.items())
        if not isinstance(path, str):
            continue
        moved = change.get("move_path") or as_dict(change.get("kind")).get("move_path")
        diff = as_text(change.get("unified_diff")) or as_text(change.get("diff"))
        if kind == "add":
            content = change.get("content")
            yield Truth(path, content=content if isinstance(content, str) else UNKNOWN, diff=diff or None)
        elif kind == "delete":
            original = change.get("content")
            yield Truth(path, original if isinstance(original, str) else UNKNOWN, None)
        elif kind == "update":
            yield Truth(path, diff=diff or None, moved_to=moved if isinstance(moved, str) else None)


def _result(output: object) -> tuple[int | None, str]:
    """Exit code and text of an output, in any of its shapes."""
    if isinstance(output, str) and (found := json_dict(output)) is not None and "output" in found:
        output = found
    if isinstance(output, dict):
        metadata = as_dict(output.get("metadata"))
        code = as_int(metadata.get("exit_code", output.get("exit_code", output.get("exitCode"))))
        return code, text_of(output.get("output", output.get("content", output.get("stdout", ""))))
    text = text_of(output)
    for line in text.splitlines()[:6]:
        for head in ("Exit code: ", "Process exited with code "):
            if line.startswith(head) and line[len(head) :].strip().lstrip("-").isdecimal():
                return int(line[len(head) :]), text
    return None, text

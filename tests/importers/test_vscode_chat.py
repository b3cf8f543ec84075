"""VS Code: exported chats, replay files, the events of Copilot CLI."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.importers.test_importers import left, session

INSERT = {"filePath": "/repo/a.txt", "code": "// ...existing code...\nx"}


def chat(calls: list[dict[str, Any]], results: dict[str, Any], response: list[dict[str, Any]]) -> dict[str, Any]:
    metadata = {"toolCallRounds": [{"toolCalls": calls}], "toolCallResults": results}
    request = {"message": {"text": "Do it."}, "response": response, "result": {"metadata": metadata}, "timestamp": 1}
    return {"requesterUsername": "u", "responderUsername": "c", "requests": [request]}


def test_ranges_stand_for_an_edit_with_gaps(tmp_path: Path) -> None:
    place = {"startLineNumber": 2, "startColumn": 1, "endLineNumber": 2, "endColumn": 4}
    group = {
        "kind": "textEditGroup",
        "uri": {"path": "/repo/a.txt"},
        "edits": [[{"text": "2", "range": place}]],
        "done": True,
    }
    call = {"id": "c__vscode-1", "name": "insert_edit_into_file", "arguments": json.dumps(INSERT)}
    found = session(tmp_path, chat([call], {}, [group]), "chat.json")
    assert left(found, a_txt="one\ntwo\n") == {"a.txt": "one\n2\n"}


def test_a_call_that_failed_and_one_without_ranges(tmp_path: Path) -> None:
    calls = [
        {"id": "1", "name": "create_file", "arguments": json.dumps({"filePath": "b.txt", "content": "x"})},
        {"id": "2", "name": "insert_edit_into_file", "arguments": json.dumps(INSERT)},
    ]
    results = {"1": {"content": [{"value": "ERROR while calling tool: must be an absolute path"}]}}
    found = session(tmp_path, chat(calls, results, []), "chat.json")
    assert (found.fidelity.applied, found.fidelity.failed, len(found.fidelity.unsupported)) == (0, 1, 1)


def test_a_chat_replay(tmp_path: Path) -> None:
    log = {
        "kind": "toolCall",
        "id": "1",
        "tool": "create_file",
        "args": json.dumps({"filePath": "/r/a.txt", "content": "x\n"}),
    }
    found = session(tmp_path, {"prompts": [{"prompt": "Do it.", "logs": [log]}]}, "x.chatreplay.json")
    assert left(found) == {"a.txt": "x\n"}


def test_the_events_of_copilot_cli(tmp_path: Path) -> None:
    start = {"toolCallId": "1", "toolName": "create_file", "arguments": {"path": "/repo/a.txt", "content": "x\n"}}
    events = [
        {"type": "session.start", "data": {"sessionId": "s", "context": {"cwd": "/repo"}}},
        {"type": "assistant.message", "data": {"toolRequests": [{**start, "name": "create_file"}]}},
        {"type": "tool.execution_start", "data": start},
        {"type": "tool.execution_complete", "data": {"toolCallId": "1", "success": True}},
        {"type": "tool.execution_start", "data": {**start, "toolCallId": "2"}},
        {"type": "tool.execution_complete", "data": {"toolCallId": "2", "success": False, "error": {"message": "no"}}},
    ]
    found = session(tmp_path, events)
    assert left(found) == {"a.txt": "x\n"}
    assert (found.fidelity.applied, found.fidelity.failed) == (1, 1)

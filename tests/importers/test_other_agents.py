"""What Gemini CLI, OpenCode, ATIF and mini-swe-agent record besides a plain call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.importers.test_importers import PATCH, SUBMISSION, left, session


def gemini(number: int, **more: Any) -> dict[str, Any]:
    args = {"file_path": "a.txt", "old_string": "one", "new_string": "two"}
    return {"id": f"c{number}", "name": "replace", "args": args, "status": "success", "result": [], **more}


def test_gemini_takes_back_messages_and_what_it_wrote_counts(tmp_path: Path) -> None:
    display = {
        "filePath": "/repo/a.txt",
        "originalContent": "one\n",
        "newContent": "two, leniently\n",
        "isNewFile": False,
    }
    lines = [
        {"sessionId": "s", "projectHash": "p"},
        {"id": "m1", "type": "user", "content": [{"text": "Do it."}]},
        {"id": "m2", "type": "gemini", "toolCalls": [gemini(1, resultDisplay=display)]},
        {"id": "m3", "type": "gemini", "toolCalls": [gemini(2, resultDisplay={**display, "newContent": "taken back"})]},
        {"$rewindTo": "m3"},
        {
            "id": "m4",
            "type": "gemini",
            "toolCalls": [gemini(3, status="error", result=[{"functionResponse": {"response": {"error": "no"}}}])],
        },
    ]
    found = session(tmp_path, lines)
    assert left(found) == {"a.txt": "two, leniently\n"}
    assert (found.fidelity.applied, found.fidelity.failed) == (1, 1)
    assert found.document["metadata"]["cwd"] == "/repo"


def test_the_stream_of_gemini(tmp_path: Path) -> None:
    call = {
        "type": "tool_use",
        "tool_name": "write_file",
        "tool_id": "1",
        "parameters": {"file_path": "a", "content": "x"},
    }
    lines = [
        {"type": "init", "session_id": "s", "model": "m"},
        call,
        {"type": "tool_result", "tool_id": "1", "status": "success", "output": ""},
        {**call, "tool_id": "2"},
        {"type": "tool_result", "tool_id": "2", "status": "error", "error": {"type": "x", "message": "no"}},
    ]
    found = session(tmp_path, lines)
    assert found.format == "gemini-cli"
    assert (found.fidelity.applied, found.fidelity.failed) == (1, 1)


def test_opencode_patches_and_parts_that_did_not_end(tmp_path: Path) -> None:
    def part(number: int, status: str, tool: str = "apply_patch", **args: Any) -> dict[str, Any]:
        state = {"status": status, "input": args or {"patchText": PATCH}, "metadata": {}}
        return {
            "type": "tool_use",
            "sessionID": "ses_1",
            "part": {"type": "tool", "callID": f"c{number}", "tool": tool, "state": state},
        }

    found = session(tmp_path, [part(1, "completed"), part(2, "running"), part(3, "error")])
    assert found.format == "opencode"
    assert left(found, a_txt="one\n") == {"a.txt": "two\n"}
    assert (found.fidelity.applied, found.fidelity.failed) == (1, 2)


def test_atif_leaves_out_copied_steps_and_puts_in_sub_agents(tmp_path: Path) -> None:
    def step(number: int, name: str, **more: Any) -> dict[str, Any]:
        call = {
            "tool_call_id": f"c{number}",
            "function_name": "Write",
            "arguments": {"file_path": f"/r/{name}", "content": name},
        }
        result = {"source_call_id": f"c{number}", "content": "ok", **more.pop("result", {})}
        return {
            "step_id": number,
            "source": "agent",
            "tool_calls": [call],
            "observation": {"results": [result]},
            **more,
        }

    failed = {"extra": {"tool_result_metadata": {"is_error": True}}}
    document = {
        "schema_version": "ATIF-v1.7",
        "agent": {"name": "claude-code", "extra": {"cwds": ["/r"]}},
        "steps": [
            step(1, "copied", is_copied_context=True),
            step(2, "a", result={"subagent_trajectory_ref": [{"trajectory_id": "t"}]}),
            step(3, "b", result=failed),
        ],
        "subagent_trajectories": [{"trajectory_id": "t", "steps": [step(9, "sub")]}],
    }
    found = session(tmp_path, document, "t.json")
    assert left(found) == {"a": "a", "sub": "sub"}
    assert (found.fidelity.applied, found.fidelity.failed) == (2, 1)


def test_mini_swe_agent_and_what_it_submits(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "Do it."},
        {
            "role": "assistant",
            "content": "",
            "extra": {"actions": [{"command": "sed -i s/one/two/ a.txt", "tool_call_id": "1"}]},
        },
        {"role": "tool", "tool_call_id": "1", "content": "", "extra": {"returncode": 0}},
        {"role": "assistant", "content": "```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"},
    ]
    info = {"submission": SUBMISSION, "config": {"environment": {"cwd": "/testbed"}}}
    document = {"trajectory_format": "mini-swe-agent-1.1", "messages": messages, "info": info}
    found = session(tmp_path, json.dumps(document), "m.traj.json")
    assert left(found, a_txt="one\n") == {"a.txt": "two\n"}
    assert [step.raw.get("exit_code") for step in found.trajectory.steps[:2]] == [0, 0]

"""Sessions of agents, each format in a small one of its own, as trajectories."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentbench_lsp.gate.recordings import RecordingError, load_recording
from agentbench_lsp.importers.core.here_documents import patches
from agentbench_lsp.importers.core.importing import NoSessionError, read_sessions
from agentbench_lsp.importers.core.secrets import redacted, scan_session
from agentbench_lsp.importers.core.session import Session
from agentbench_lsp.importers.core.source import Source
from agentbench_lsp.runner.replay import replay

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
PATCH = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch"


def session(folder: Path, content: Any, name: str = "s.jsonl") -> Session:
    """The only session in a file: a text, a list of records a line each, or one document."""
    path = folder / name
    if isinstance(content, list):
        content = "".join(json.dumps(record) + "\n" for record in content)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    (found,) = read_sessions(Source(path))
    return found


def left(found: Session, **files: str) -> dict[str, str]:
    """The files after a replay on `files`, whose `_` are dots."""
    workspace = {name.replace("_", "."): content for name, content in files.items()}
    return {path: content.decode() for path, content in replay(workspace, found.trajectory).files.items()}


def claude(*calls: tuple[str, dict[str, Any], Any, bool]) -> list[dict[str, Any]]:
    """A session of Claude Code: name and input of each call, `toolUseResult`, whether it failed."""
    about = {"sessionId": "s", "cwd": "/repo", "version": "2.1.0"}
    records: list[dict[str, Any]] = [
        {**about, "type": "user", "uuid": "u", "message": {"role": "user", "content": "Do it."}}
    ]
    for i, (name, args, result, failed) in enumerate(calls):
        call = {"type": "tool_use", "id": f"t{i}", "name": name, "input": args}
        records.append(
            {**about, "type": "assistant", "uuid": f"a{i}", "message": {"role": "assistant", "content": [call]}}
        )
        part = {
            "type": "tool_result",
            "tool_use_id": f"t{i}",
            "content": "text",
            **({"is_error": True} if failed else {}),
        }
        message = {"role": "user", "content": [part]}
        records.append({**about, "type": "user", "uuid": f"r{i}", "message": message, "toolUseResult": result})
    return records


EDIT = {"file_path": "/repo/a.txt", "old_string": "one", "new_string": "two"}
EDITED = {"filePath": "/repo/a.txt", "originalFile": "one\n", "userModified": False}
HUNK = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-one", "+two by the user"]}


def test_claude_code_takes_the_recorded_original_and_leaves_out_failures(tmp_path: Path) -> None:
    found = session(tmp_path, claude(("Edit", EDIT, EDITED, False), ("Edit", EDIT, "Error: not found", True)))
    assert left(found) == {"a.txt": "two\n"}
    assert (found.fidelity.applied, found.fidelity.failed) == (1, 1)
    assert found.originals == {"a.txt": b"one\n"}
    assert found.prompt == "Do it."
    assert [step.source_line for step in found.trajectory.steps] == [2, 4]


def test_what_the_user_made_of_an_edit_counts(tmp_path: Path) -> None:
    changed = {**EDITED, "userModified": True, "structuredPatch": [HUNK]}
    found = session(tmp_path, claude(("Edit", EDIT, changed, False)))
    assert left(found) == {"a.txt": "two by the user\n"}
    assert (found.fidelity.checked, found.fidelity.files) == (1, 1)


def test_an_imported_edit_keeps_the_crlf_of_the_workspace(tmp_path: Path) -> None:
    found = session(tmp_path, claude(("Edit", EDIT, EDITED, False)))
    assert left(found, a_txt="one\r\n") == {"a.txt": "two\r\n"}


def test_a_record_that_comes_twice_counts_once_and_broken_lines_are_said(tmp_path: Path) -> None:
    lines = [json.dumps(record) for record in claude(("Edit", EDIT, EDITED, False))]
    found = session(tmp_path, "\ufeff" + "\r\n".join([*lines, "42", *lines, '{"type": "us']))
    assert found.fidelity.steps == 1
    assert any("is no object" in warning for warning in found.warnings)
    assert any("cut off" in warning for warning in found.warnings)


def test_utf_16_and_sub_agents(tmp_path: Path) -> None:
    records = claude(("Edit", EDIT, EDITED, False))
    path = tmp_path / "main.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-16")
    inner = tmp_path / "main" / "subagents"
    inner.mkdir(parents=True)
    write = claude(
        (
            "Write",
            {"file_path": "/repo/b.txt", "content": "b"},
            {"type": "create", "filePath": "/repo/b.txt", "content": "b"},
            False,
        )
    )
    side = [{**r, "uuid": f"x{i}", "isSidechain": True} for i, r in enumerate(write)]
    text = "\n".join(map(json.dumps, side)).replace('"t0"', '"sub0"')
    (inner / "agent-1.jsonl").write_text(text, encoding="utf-8")
    (found,) = read_sessions(Source(path))
    assert left(found) == {"a.txt": "two\n", "b.txt": "b"}


def codex(*payloads: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    meta = ("session_meta", {"id": "s", "cwd": "/repo", "cli_version": "0.1"})
    return [
        {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload} for kind, payload in (meta, *payloads)
    ]


def call(name: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "response_item", {"type": "custom_tool_call", "name": name, "call_id": "c", **more}


OUTPUT = ("response_item", {"type": "custom_tool_call_output", "call_id": "c", "output": "Success."})


def test_codex_patches_of_every_kind_are_applied_once(tmp_path: Path) -> None:
    change = {"/repo/a.txt": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-one\n+two\n", "move_path": None}}
    end = ("event_msg", {"type": "patch_apply_end", "call_id": "c", "success": True, "changes": change})
    script = ("event_msg", {"type": "patch_apply_end", "call_id": "exec-1", "success": True, "changes": change})
    item = (
        "event_msg",
        {"type": "item_completed", "item": {"type": "FileChange", "id": "f", "status": "completed", "changes": change}},
    )
    heredoc = json.dumps({"command": ["bash", "-lc", f"cd /repo && apply_patch <<'EOF'\n{PATCH}\nEOF\n"]})
    shell = ("response_item", {"type": "function_call", "name": "shell", "call_id": "c", "arguments": heredoc})
    for events in (
        [call("apply_patch", input=PATCH), end, OUTPUT],
        [call("apply_patch", input=PATCH), OUTPUT],
        [shell, OUTPUT],
        [call("exec", input="await tools.apply_patch(p)"), script, OUTPUT],
        [item],
    ):
        found = session(tmp_path, codex(*events))
        assert left(found, a_txt="one\n") == {"a.txt": "two\n"}, events
        assert found.fidelity.applied == 1


def test_a_refused_patch_of_codex_is_not_applied(tmp_path: Path) -> None:
    output = (OUTPUT[0], {**OUTPUT[1], "output": "apply_patch verification failed: no such lines"})
    found = session(tmp_path, codex(call("apply_patch", input=PATCH), output))
    assert left(found, a_txt="one\n") == {"a.txt": "one\n"}
    assert found.fidelity.failed == 1


@pytest.mark.parametrize(
    "command", [f"apply_patch <<EOF\n{PATCH}\nEOF", ["apply_patch", PATCH], f"@'\n{PATCH}\n'@ | apply_patch"]
)
def test_patches_in_shell_commands(command: str | list[str]) -> None:
    assert patches(command) == [(PATCH, None)]


def test_text_that_only_quotes_a_patch_is_none() -> None:
    assert patches(f"cat > notes.md <<'EOF'\napply_patch <<X\n{PATCH}\nX\nEOF") == []


SUBMISSION = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"


def test_swe_agent_and_the_diff_it_submits(tmp_path: Path) -> None:
    steps = [
        {
            "action": "create made.py",
            "observation": "[File: made.py (1 lines total)]",
            "state": '{"working_dir": "/repo"}',
        },
        {
            "action": "edit 1:1\nx = 1\nend_of_edit",
            "observation": "File updated. [File: made.py (1 lines total)]",
            "state": "{}",
        },
        {
            "action": "edit 1:1\nx =\nend_of_edit",
            "observation": "Your proposed edit has introduced new syntax error(s).",
            "state": "{}",
        },
    ]
    document = {"trajectory": steps, "info": {}}
    assert left(session(tmp_path, document, "r.traj")) == {"made.py": "x = 1\n"}
    submitted = session(tmp_path, {**document, "info": {"submission": SUBMISSION}}, "r.traj")
    assert left(submitted, a_txt="one\n") == {"a.txt": "two\n"}
    assert submitted.fidelity.final_diff


def test_openhands_does_not_take_arguments_for_contents(tmp_path: Path) -> None:
    args = {"path": "/workspace/a.txt", "command": "str_replace", "old_str": "one", "new_str": "two"}
    extras = {"path": "/workspace/a.txt", "prev_exist": False, "old_content": "one", "new_content": "two"}
    events = [
        {"id": 1, "action": "edit", "args": args},
        {"id": 2, "cause": 1, "observation": "edit", "content": "edited", "extras": extras},
        {"id": 3, "action": "edit", "args": args},
        {"id": 4, "cause": 3, "observation": "edit", "content": "ERROR:\nNo replacement", "extras": extras},
    ]
    found = session(tmp_path, {"history": events}, "h.json")
    assert (found.fidelity.applied, found.fidelity.failed) == (1, 1)
    assert left(found, a_txt="zero\none\n") == {"a.txt": "zero\ntwo\n"}


def test_the_other_formats(tmp_path: Path) -> None:
    write = {"file_path": "a.txt", "content": "x\n"}
    display = {"filePath": "/repo/a.txt", "newContent": "y\n", "isNewFile": True}
    gemini = {
        "id": "1",
        "name": "write_file",
        "args": write,
        "status": "success",
        "resultDisplay": display,
        "result": [],
    }
    anthropic = [{"type": "tool_use", "id": "1", "name": "Write", "input": write}]
    state = {"status": "completed", "input": {"filePath": "/repo/a.txt", "content": "x\n"}, "metadata": {}}
    openai = {
        "id": "1",
        "function": {"name": "write_file", "arguments": json.dumps({"path": "a.txt", "content": "x\n"})},
    }
    copilot = {"id": "1", "name": "create_file", "arguments": json.dumps({"filePath": "/repo/a.txt", "content": "x\n"})}
    tool = {
        "event": "tool",
        "id": "1",
        "function": "text_editor",
        "arguments": {"command": "create", "path": "a.txt", "file_text": "attachment://h"},
    }
    aider = "# aider chat started at 2026-01-01 00:00:00\n\n#### do\n\na.txt\n```\nx\n```\n\n> Applied edit to a.txt\n"
    documents: dict[str, tuple[Any, str]] = {
        "gemini-cli": ({"projectHash": "p", "messages": [{"type": "gemini", "id": "m", "toolCalls": [gemini]}]}, "y\n"),
        "atif": (
            {
                "schema_version": "ATIF-v1.7",
                "agent": {"name": "x"},
                "steps": [
                    {
                        "step_id": 1,
                        "tool_calls": [{"tool_call_id": "1", "function_name": "Write", "arguments": write}],
                        "observation": {"results": [{"source_call_id": "1", "content": "ok"}]},
                    }
                ],
            },
            "x\n",
        ),
        "opencode": (
            {
                "info": {"id": "ses_1", "directory": "/repo"},
                "messages": [
                    {
                        "info": {"role": "assistant"},
                        "parts": [{"type": "tool", "tool": "write", "callID": "1", "state": state}],
                    }
                ],
            },
            "x\n",
        ),
        "cline": (
            {
                "sessionId": "s",
                "agent": "lead",
                "messages": [
                    {
                        "role": "assistant",
                        "content": [
                            {
                                "type": "tool_use",
                                "id": "1",
                                "name": "editor",
                                "input": {"path": "a.txt", "new_text": "x\n"},
                            }
                        ],
                    },
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "{}"}]},
                ],
            },
            "x\n",
        ),
        "inspect": (
            {"eval": {"model": "m"}, "samples": [{"id": "1", "attachments": {"h": "x\n"}, "events": [tool]}]},
            "x\n",
        ),
        "vscode-chat": (
            {
                "requesterUsername": "u",
                "requests": [
                    {
                        "message": {"text": "do"},
                        "response": [],
                        "result": {"metadata": {"toolCallRounds": [{"toolCalls": [copilot]}], "toolCallResults": {}}},
                    }
                ],
            },
            "x\n",
        ),
        "messages": (
            {
                "messages": [
                    {"role": "assistant", "tool_calls": [openai]},
                    {"role": "tool", "tool_call_id": "1", "content": "ok"},
                    {"role": "user", "content": anthropic and "thanks"},
                ]
            },
            "x\n",
        ),
        "aider": (aider, "x\n"),
    }
    for name, (content, expected) in documents.items():
        found = session(tmp_path, content, "x.json")
        assert found.format == name
        assert left(found) == {"a.txt": expected}, name


def test_mini_swe_agent_lists_what_is_not_replayed(tmp_path: Path) -> None:
    messages = [
        {"role": "assistant", "content": "```bash\nsed -i s/a/b/ x\n```"},
        {"role": "user", "content": "<returncode>0</returncode>"},
    ]
    found = session(tmp_path, {"trajectory_format": "mini-swe-agent-1", "messages": messages, "info": {}}, "m.json")
    assert [(note.step, note.reason) for note in found.fidelity.commands] == [(0, "sed edits files in place")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("plain text", "neither JSON nor"),
        ('{"a": ', "ends before its first value|no format"),
        ('{"ts": 1, "dir": "x", "kind": "y"}\n' * 2, "Codex terminal interface"),
        ('{"name": "x"}', "no format that is known"),
        ('{"steps": []}', "trajectory of AgentBench"),
    ],
)
def test_what_is_no_session_is_refused_with_a_reason(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NoSessionError, match=says):
        read_sessions(Source(path))


def test_of_several_sessions_one_has_to_be_named(tmp_path: Path) -> None:
    path = tmp_path / "output.jsonl"
    path.write_text(
        '{"instance_id": "a", "history": [{"action": "run", "args": {}}]}\n{"instance_id": "b", "history": []}\n',
        encoding="utf-8",
    )
    with pytest.raises(RecordingError, match="--instance"):
        load_recording(path)
    assert len(load_recording(path, instance="a").steps) == 1


def test_secrets_are_masked_everywhere_alike(tmp_path: Path) -> None:
    key = "AKIAIOSFODNN7EXAMPLA"
    original = {**EDITED, "originalFile": f"id = {key}\none\n"}
    found = session(
        tmp_path, claude(("Edit", {**EDIT, "old_string": f"{key}\none", "new_string": f"{key}\ntwo"}, original, False))
    )
    scan = scan_session(found)
    assert "AWS Access Key" in (scan.told() or "")
    masked = redacted(found, scan)
    assert key not in json.dumps(masked.document)
    assert left(masked) == {"a.txt": "id = REDACTED-1\ntwo\n"}


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared/samples is not here")
def test_every_sample_imports_or_is_refused_with_a_reason() -> None:
    folders = [
        "claude-code",
        "codex",
        "swe-agent",
        "mini-swe-agent",
        "openhands",
        "atif",
        "gemini-cli",
        "opencode",
        "cline",
        "codex-tui-log",
    ]
    refused = []
    for path in sorted(file for folder in folders for file in (SAMPLES / folder).iterdir()):
        try:
            assert read_sessions(Source(path))
        except NoSessionError:
            refused.append(path.name)
    assert refused == ["apanloco-ground-truth.json", "cline-sdk-session.json", "tui-log-head.jsonl"]


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared/samples is not here")
def test_the_ground_truth_and_the_failed_edits_of_openhands() -> None:
    import hashlib

    truth = json.loads((SAMPLES / "claude-code" / "apanloco-ground-truth.json").read_text(encoding="utf-8"))
    (found,) = read_sessions(Source(SAMPLES / "claude-code" / "apanloco-session.jsonl"))
    files = replay({}, found.trajectory).files
    sums = {f"/home/dev/code/random/{path}": hashlib.sha256(content).hexdigest() for path, content in files.items()}
    assert sums == truth["files"]
    sessions = read_sessions(Source(SAMPLES / "openhands" / "multi_swe_bench-output.jsonl"))
    assert sum(s.fidelity.failed for s in sessions) == 23
    assert sum(s.fidelity.failed + s.fidelity.applied for s in sessions) == 29

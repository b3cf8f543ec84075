"""Inspect AI: .eval archives, each sample a session."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from agentbench_lsp.importers.core.importing import read_sessions
from agentbench_lsp.importers.core.source import Source
from tests.importers.test_importers import left


def test_the_samples_of_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": {"model": "m", "task": "t"}}))
        for number in (1, 2):
            arguments = {"command": "create", "path": "a.txt", "file_text": "attachment://h"}
            calls = [
                {"id": "1", "function": "text_editor", "arguments": arguments},
                {"id": "2", "function": "bash", "arguments": {"cmd": "x"}},
            ]
            messages = [
                {"role": "assistant", "content": "", "tool_calls": calls},
                {"role": "tool", "tool_call_id": "1", "content": "ok"},
                {
                    "role": "tool",
                    "tool_call_id": "2",
                    "content": "",
                    "error": {"type": "timeout", "message": "too long"},
                },
            ]
            sample = {"id": number, "epoch": 1, "input": "Do it.", "messages": messages, "attachments": {"h": "x\n"}}
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(sample))
        archive.writestr("samples/3_epoch_1.json", '{"id": 3, "messages": [')
    found = read_sessions(Source(path))
    assert [session.instance for session in found] == ["1_epoch_1", "2_epoch_1", "3_epoch_1"]
    assert left(found[0]) == {"a.txt": "x\n"}
    assert [step.failure for step in found[0].trajectory.steps] == [None, "error"]
    assert found[0].document["metadata"]["model"] == "m"
    assert any("samples/3_epoch_1.json cannot be read" in warning for warning in found[2].warnings)

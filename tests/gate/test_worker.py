"""The worker: one request in, events out, and an end when its stdin ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.helpers.build import must_pass, task_dict, unmodified, write
from tests.runner.test_shell import is_alive

WORKER = [sys.executable, "-P", "-m", "agentbench_lsp.gate.worker"]


def request(task: Any, steps: list[Any], oracle: int | None = None) -> bytes:
    text = task if isinstance(task, str) else json.dumps(task)
    payload = {
        "task": {"path": "t.json", "text": text},
        "trajectory": {"path": "j.json", "text": json.dumps({"steps": steps})},
    }
    return json.dumps({**payload, "oracle": oracle}).encode() + b"\n"


def events(data: bytes, keep_open: bool = True) -> list[dict[str, Any]]:
    with subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin
        assert worker.stdout
        worker.stdin.write(data)
        worker.stdin.flush()
        return [json.loads(line) for line in worker.stdout]


def test_an_event_for_each_oracle_and_the_report() -> None:
    found = events(request(task_dict(must_pass("echo hi"), unmodified("a.txt")), [write("a.txt", "x")]))
    assert [e["event"] for e in found] == ["oracle", "oracle", "done"]
    assert found[2]["report"]["tasks"][0]["oracles"] == [e["result"] for e in found[:2]]
    assert found[2]["blame"] == {"1": {"step": 0, "param": "path"}}
    assert not found[2]["report"]["passed"]


def test_what_cannot_be_evaluated_is_an_error_event() -> None:
    assert events(request("{", []))[0] == {
        "event": "error",
        "message": "not valid JSON at line 1, column 2: Expecting property name enclosed in double quotes",
        "document": "t.json",
    }
    assert events(request({}, []))[0]["event"] == "error"
    assert "no oracle 7" in events(request(task_dict(), [], oracle=7))[0]["message"]


def test_no_request_no_answer() -> None:
    done = subprocess.run(WORKER, input=b"", capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_the_end_of_stdin_ends_its_commands_and_folders(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    fifo = tmp_path / "started"
    import os

    os.mkfifo(fifo)
    command = f"echo $$ > {fifo}; sleep 600; true"
    with subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin
        worker.stdin.write(request(task_dict(must_pass(command)), []))
        worker.stdin.flush()
        pid = int(fifo.read_text())  # waits until the command runs
        assert is_alive(pid)
        worker.stdin.close()
        assert worker.wait(30) != 0
    assert not is_alive(pid)
    assert [p.name for p in tmp_path.iterdir()] == ["started"]

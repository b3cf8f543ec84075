"""The worker: requests in, events out, and an end when its stdin ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentbench_lsp.gate.child import child_command
from tests.helpers.build import must_pass, save, task_dict, unmodified, write
from tests.runner.test_shell import is_alive

WORKER = child_command("agentbench_lsp.gate.worker")


def request(task: Any, steps: list[Any] | None, oracle: int | None = None, do: str = "evaluate") -> dict[str, Any]:
    text = task if isinstance(task, str) else json.dumps(task)
    return {
        "id": 7,
        "do": do,
        "task": {"path": "t.json", "text": text},
        "trajectory": None if steps is None else {"path": "j.json", "text": json.dumps({"steps": steps})},
        "oracle": oracle,
    }


def answers(*requests: dict[str, Any], command: list[str] = WORKER) -> list[list[dict[str, Any]]]:
    """The events of each request, all of them asked of one worker."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin
        assert worker.stdout
        assert json.loads(worker.stdout.readline())["event"] == "ready"
        found = []
        for each in requests:
            worker.stdin.write(json.dumps(each).encode() + b"\n")
            worker.stdin.flush()
            events: list[dict[str, Any]] = []
            while not events or events[-1]["event"] not in ("done", "error"):
                events.append(json.loads(worker.stdout.readline()))
            assert {event.pop("id") for event in events} == {7}
            found.append(events)
        worker.stdin.close()
        assert worker.wait(30) == 0
    return found


def test_an_event_for_each_oracle_and_the_report() -> None:
    (found,) = answers(request(task_dict(must_pass("echo hi"), unmodified("a.txt")), [write("a.txt", "x")]))
    assert [e["event"] for e in found] == ["start", "oracle", "start", "oracle", "verdict", "start", "done"]
    first, again = found[0], found[5]
    assert first == {
        "event": "start",
        "oracle": 0,
        "type": "test_must_pass",
        "untouched": False,
        "position": 1,
        "of": 2,
        "seconds": 60.0,
    }
    assert (again["oracle"], again["untouched"]) == (0, True)
    report = found[-1]["report"]
    assert not report["passed"]
    command, file = report["tasks"][0]["oracles"]
    assert command["details"]["warnings"] == [
        "the command passes on the untouched workspace too, so it does not tell what the agent did"
    ]
    assert file["details"]["blame"] == {
        "step": 0,
        "param": "path",
        "how": "stopped-passing",
        "tool": "write_file",
    }


def test_what_is_known_of_the_untouched_workspace_is_not_found_out_again() -> None:
    asked = request(task_dict(must_pass("true")), [write("a.txt", "x")])
    first, second = answers(asked, asked)
    assert [e["event"] for e in first] == ["start", "oracle", "verdict", "start", "done"]
    assert [e["event"] for e in second] == ["start", "oracle", "verdict", "done"]
    told = [events[-1]["report"]["tasks"][0]["oracles"][0]["details"]["passes_untouched"] for events in (first, second)]
    assert told == [True, True]


def test_without_a_trajectory_it_is_the_baseline() -> None:
    (found,) = answers(request(task_dict(must_pass("false"), unmodified("a.txt")), None))
    states = [o["details"]["baseline"]["state"] for o in found[-1]["report"]["tasks"][0]["oracles"]]
    assert states == ["fails", "guard"]


def test_what_cannot_be_done_is_an_error_and_the_next_request_is_answered() -> None:
    broken, empty, index, job, good = answers(
        request("{", []),
        request({}, []),
        request(task_dict(), [], oracle=7),
        request({}, [], do="sing"),
        request(task_dict(), []),
    )
    assert broken == [
        {
            "event": "error",
            "message": "not valid JSON at line 1, column 2: Expecting property name enclosed in double quotes",
            "document": "t.json",
        }
    ]
    assert "the field 'oracles' is missing" in empty[0]["message"]
    assert "no oracle 7" in index[0]["message"]
    assert job[0]["message"] == "there is no job 'sing'"
    assert good[-1]["report"]["passed"]


def test_the_catalogue_says_what_classes_declare(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.agentbench]\noracles = ["o.py", "bad.py"]\n')
    (tmp_path / "o.py").write_text(
        "from agentbench.oracles.base import OracleCheck, Param, register_oracle\n"
        "NAMES = ['path', 'limit']\n"
        "@register_oracle\n"
        "class MaxLines(OracleCheck):\n"
        "    'Counts lines.'\n"
        "    oracle_type = 'max_lines'\n"
        "    params = tuple(Param(name) for name in NAMES)\n"
        "    def check(self, *_): ...\n"
    )
    (tmp_path / "bad.py").write_text("class Bad:\n    oracle_type = 'bad'\nraise RuntimeError('no')\n")
    (found,) = answers({"id": 7, "do": "catalogue", "folder": str(tmp_path)})
    oracles = found[0]["oracles"]
    assert [param["name"] for param in oracles["max_lines"]["params"]] == ["path", "limit"]
    assert oracles["max_lines"]["doc"] == "Counts lines."
    assert oracles["bad"] == {"error": "RuntimeError: no"}


def test_no_request_no_answer() -> None:
    done = subprocess.run(WORKER, input=b"", capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["ready"]


def test_the_end_of_stdin_ends_its_commands_and_folders(tmp_path: Path) -> None:
    fifo, folder = tmp_path / "started", tmp_path / "folder"
    os.mkfifo(fifo)
    folder.mkdir()
    command = f"echo $$ > {fifo}; sleep 600; true"
    with subprocess.Popen([*WORKER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin
        worker.stdin.write(json.dumps(request(task_dict(must_pass(command)), [])).encode() + b"\n")
        worker.stdin.flush()
        pid = int(fifo.read_text())  # waits until the command runs
        assert is_alive(pid)
        assert list(folder.iterdir()) != []
        worker.stdin.close()
        assert worker.wait(30) != 0
    assert not is_alive(pid)
    assert [p.name for p in tmp_path.iterdir()] == ["started"]


@pytest.mark.parametrize("program", ["echo", "false"])
def test_an_interpreter_that_is_none_says_no_ready(program: str) -> None:
    done = subprocess.run(child_command("agentbench_lsp.gate.worker", program), capture_output=True, check=False)
    assert b'"ready"' not in done.stdout


def test_another_interpreter_needs_nothing_installed(tmp_path: Path) -> None:
    """A bare environment: no package of ours, no jsonschema; a faulty document is told all the same."""
    import venv

    venv.create(tmp_path / "bare", with_pip=False)
    python = tmp_path / "bare" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    command = child_command("agentbench_lsp.gate.worker", str(python))
    asked = request(task_dict(must_pass("python -c 'import sys; print(sys.prefix)'")), [])
    good, faulty = answers(asked, request({}, []), command=command)
    stdout = [e["result"]["details"]["stdout"] for e in good if e["event"] == "oracle"]
    assert stdout == [f"{tmp_path / 'bare'}\n"]
    assert "the field 'oracles' is missing" in faulty[-1]["message"]


def test_the_folder_of_a_task_is_saved_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    save(tmp_path / "x.json", {})
    answers(request(task_dict(must_pass("touch here")), []))
    assert [p.name for p in tmp_path.iterdir()] == ["x.json"]

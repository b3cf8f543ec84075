"""`agentbench import`, and sessions in the place of trajectories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.importers.test_importers import EDIT, EDITED, claude


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    args = {"file_path": "/repo/new.txt", "content": "what the agent wrote\n"}
    new = {"type": "create", "filePath": "/repo/new.txt", "content": "what the agent wrote\n"}
    records = claude(("Edit", EDIT, EDITED, False), ("Write", args, new, False))
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def test_a_trajectory_goes_to_stdout_and_the_summary_to_stderr(agentbench: Run, recorded: Path) -> None:
    done = agentbench("import", recorded)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["steps"]) == 2
    assert done.stderr.splitlines()[-1].startswith("edits: 2 applied, 0 failed, 0 unsupported; files byte-checked: ")


def test_the_summary_as_json(agentbench: Run, recorded: Path, tmp_path: Path) -> None:
    done = agentbench("import", recorded, "-o", "out/run.json", "--json")
    (told,) = json.loads(done.stdout)["sessions"]
    assert told["fidelity"]["applied"] == 2
    assert json.loads((tmp_path / "out/run.json").read_text())["metadata"]["source"]["file"] == "../s.jsonl"


def test_a_task_of_a_session_passes_with_it_and_fails_without_its_last_edit(
    agentbench: Run, recorded: Path, tmp_path: Path
) -> None:
    done = agentbench("import", recorded, "--new-task", "t.task.json")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "t.task.json").read_text())["workspace"] == {"a.txt": "one\n"}
    assert agentbench("check", "t.task.json").returncode == 0
    for trajectory in ("t.trajectory.json", recorded):
        assert agentbench("run", "--task", "t.task.json", "--trajectory", trajectory).returncode == 0
    less = json.loads((tmp_path / "t.trajectory.json").read_text())
    less["steps"].pop()
    (tmp_path / "less.json").write_text(json.dumps(less))
    assert agentbench("run", "--task", "t.task.json", "--trajectory", "less.json").returncode == 1
    again = agentbench("import", recorded, "--new-task", "t.task.json")
    assert again.returncode == 2
    assert "--force" in again.stderr


def test_gate_and_report_take_a_session(agentbench: Run, recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    agentbench("import", recorded, "--new-task", "tasks/t.task.json", "-o", "run.json")
    assert agentbench("gate", "--tasks", "tasks", "--trajectory", recorded).returncode == 0
    assert agentbench("report", "--task", "tasks/t.task.json", "--trajectory", recorded, "-o", "r.html").returncode == 0


@pytest.mark.parametrize("text", ["", "no session", '{"a": 1}'])
def test_what_is_no_session_is_exit_code_2_and_a_reason(agentbench: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    done = agentbench("import", "x", "-o", "y")
    assert done.returncode == 2
    assert "is no session" in done.stderr
    assert not (tmp_path / "y").exists()


def test_a_session_is_never_written_over(agentbench: Run, recorded: Path) -> None:
    before = recorded.read_bytes()
    assert agentbench("import", recorded, "-o", recorded).returncode == 2
    assert recorded.read_bytes() == before


CALC, TEST = (
    "def add(a, b):\n    return a - b\n",
    "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
)


def shown(path: str, content: str) -> tuple[str, dict[str, object], object, bool]:
    lines = content.count("\n") + 1
    file = {"filePath": path, "content": content, "numLines": lines, "startLine": 1, "totalLines": lines}
    return "Read", {"file_path": path}, {"type": "text", "file": file}, False


def test_the_oracles_of_a_task_come_from_the_session(agentbench: Run, tmp_path: Path) -> None:
    change = {"file_path": "/repo/calc.py", "old_string": "a - b", "new_string": "a + b"}
    done = {"filePath": "/repo/calc.py", "originalFile": CALC, "userModified": False}
    ran = {"stdout": "1 passed", "stderr": "", "interrupted": False}
    records = claude(
        shown("/repo/calc.py", CALC),
        shown("/repo/tests/test_calc.py", TEST),
        ("Edit", change, done, False),
        ("Bash", {"command": "cd /repo && python -m pytest -q /repo/tests/test_calc.py 2>&1 | tail -5"}, ran, False),
        ("Bash", {"command": "python -m pytest /elsewhere/tests"}, ran, False),
    )
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, records)))
    assert agentbench("import", "s.jsonl", "--new-task", "t.task.json", "--try-commands").returncode == 0
    task = json.loads((tmp_path / "t.task.json").read_text())
    assert task["oracles"] == [
        {"type": "test_must_pass", "command": "python -m pytest -q tests/test_calc.py", "timeout": 60},
        {"type": "file_not_modified", "path": "tests/test_calc.py"},
        {"type": "no_network"},
    ]
    assert agentbench("run", "--task", "t.task.json", "--trajectory", "s.jsonl").returncode == 0
    left_out = agentbench("import", "s.jsonl", "--new-task", "u.task.json", "--no-try-commands", "--json")
    (told,) = json.loads(left_out.stdout)["sessions"]
    assert any("was not tried" in note for note in told["task_notes"])


def test_several_sessions_are_several_files_whatever_their_names(agentbench: Run, tmp_path: Path) -> None:
    names = ["a/b", "a-b", "../a-b", "c"]
    records = [{"instance_id": name, "history": [{"action": "run", "args": {"command": "ls"}}]} for name in names]
    (tmp_path / "output.jsonl").write_text("\n".join(map(json.dumps, records)))
    assert agentbench("import", "output.jsonl").returncode == 2
    assert agentbench("import", "output.jsonl", "-o", "runs").returncode == 0
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.trajectory.json"))
    assert found == [f"runs/{name}.trajectory.json" for name in ("a-b-2", "a-b-3", "a-b", "c")]


def test_half_a_surrogate_pair_is_written_as_json_can(agentbench: Run, tmp_path: Path) -> None:
    args = {"file_path": "/repo/a.txt", "content": "\ud83d"}
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, claude(("Write", args, {}, False)))))
    done = agentbench("import", "s.jsonl", "--new-task", "t.task.json")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "t.trajectory.json").read_text())["steps"][0]["args"]["content"] == "\ud83d"

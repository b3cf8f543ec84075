"""`agentbench gate`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, Run
from tests.helpers.build import must_pass, save, task_dict
from tests.runner.test_shell import is_alive


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(tmp_path / "j.json", {"steps": []})
    (tmp_path / "tasks").mkdir()
    return tmp_path / "tasks"


GATE = ("gate", "--tasks", "tasks", "--trajectory", "j.json")


def test_one_bad_file_hides_nothing(agentbench: Run, folder: Path) -> None:
    save(folder / "1.json", task_dict(id="one"))
    (folder / "2.json").write_text('{"id": "two", "oracles": [{"type": "nope"}]}')
    save(folder / "3.json", task_dict(must_pass("false"), id="three"))
    done = agentbench(*GATE)
    assert done.returncode == 2
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert lines == [
        "PASS one",
        "ERROR tasks/2.json",
        "FAIL three",
        "1 of 3 tasks passed, 1 failed, 1 could not be judged",
    ]
    assert "  oracles[0].type: unknown oracle type 'nope'" in done.stdout
    report = json.loads(agentbench(*GATE, "--json").stdout)
    assert [t["passed"] for t in report["tasks"]] == [True, False, False]
    assert "unknown oracle type" in report["tasks"][1]["error"]
    (folder / "2.json").unlink()
    assert agentbench(*GATE).returncode == 1
    (folder / "3.json").unlink()
    assert agentbench(*GATE).returncode == 0


def test_nothing_to_evaluate(agentbench: Run, folder: Path) -> None:
    done = agentbench(*GATE)
    assert done.returncode == 2
    assert "no task file" in done.stderr
    assert agentbench("gate", "--tasks", "gone", "--trajectory", "j.json").returncode == 2
    assert agentbench("gate", "--tasks", "j.json", "--trajectory", "j.json").returncode == 2


def test_a_manifest_selects_and_others_are_not_even_read(agentbench: Run, folder: Path) -> None:
    save(folder / "b.json", task_dict(id="b"))
    save(folder / "a.json", task_dict(id="a"))
    (folder / "bad.json").write_text("{")
    save(folder / "m.json", {"task_files": ["b.json", "a.json", "b.json"]})
    done = agentbench(*GATE, "--manifest", "tasks/m.json")
    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if line.startswith("PASS")] == ["PASS b", "PASS a"]
    save(folder / "m.json", {"task_files": ["a.json", "gone.json"]})
    done = agentbench(*GATE, "--manifest", "tasks/m.json")
    assert done.returncode == 2
    assert "PASS a" in done.stdout
    assert "ERROR tasks/gone.json" in done.stdout


@pytest.mark.parametrize("manifest", [{"task_subset": "m.json"}, {"task_files": ["../../x.json"]}, {}, []])
def test_a_bad_manifest_says_so_before_anything_runs(agentbench: Run, folder: Path, manifest: object) -> None:
    save(folder / "a.json", task_dict(must_pass("touch ran")))
    save(folder / "m.json", manifest)
    done = agentbench("gate", "--tasks", "tasks", "--trajectory", "gone.json", "--manifest", "tasks/m.json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "m.json" in done.stderr
    assert "Traceback" not in done.stderr


def test_verdicts_appear_as_each_task_ends(folder: Path, tmp_path: Path) -> None:
    """The second task waits for a pipe that is written only when the first verdict has been read."""
    os.mkfifo(tmp_path / "go")
    save(folder / "1.json", task_dict(id="one"))
    save(folder / "2.json", task_dict(must_pass(f"cat {tmp_path / 'go'}"), id="two"))
    with subprocess.Popen([*COMMAND, *GATE], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as gate:
        assert gate.stdout
        assert gate.stdout.readline() == "PASS one\n"
        (tmp_path / "go").write_text("now")
        assert gate.stdout.read().splitlines()[-1] == "2 of 2 tasks passed"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_signal_ends_children_and_folders_and_what_is_known_is_said(
    folder: Path, tmp_path: Path, number: signal.Signals, code: int, form: str
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    os.mkfifo(tmp_path / "started")
    save(folder / "1.json", task_dict(id="one"))
    save(folder / "2.json", task_dict(must_pass(f"echo $$ > {tmp_path / 'started'}; sleep 600; true"), id="two"))
    command = [*COMMAND, *GATE, *(["--json"] if form == "json" else [])]
    env = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as gate:
        pid = int((tmp_path / "started").read_text())
        gate.send_signal(number)
        out, err = gate.communicate(timeout=60)
    assert gate.returncode == code
    assert not is_alive(pid)
    assert list(temporary.iterdir()) == []
    assert "Traceback" not in err
    if form == "text":
        assert out.splitlines()[0] == "PASS one"
        assert out.splitlines()[-1] == f"1 of 1 task passed; stopped by {number.name} before the end"
    else:
        report = json.loads(out)
        assert (report["passed"], report["stopped"]) == (False, number.name)
        assert [t["task_id"] for t in report["tasks"]] == ["one"]


def test_the_gate_keeps_its_stdin(folder: Path, tmp_path: Path) -> None:
    save(folder / "1.json", task_dict(must_pass("cat")))
    with subprocess.Popen([*COMMAND, *GATE], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as gate:
        assert gate.wait(60) == 0  # although its stdin is open


def test_on_a_terminal_there_are_colours_and_the_same_words(folder: Path, tmp_path: Path) -> None:
    import pty

    save(folder / "1.json", task_dict(id="one\x1b[2J"))
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *GATE], cwd=tmp_path, stdout=slave, env={**os.environ, "TERM": "xterm-256color"}
    ) as gate:
        os.close(slave)
        out = b""
        try:
            while chunk := os.read(master, 1000):
                out += chunk
        except OSError:
            pass
        assert gate.wait(60) == 0
    os.close(master)
    assert b"\x1b[1;32mPASS" in out
    assert b"\x1b[2J" not in out
    assert b"1 of 1 task passed" in out

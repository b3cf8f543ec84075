"""`agentbench run`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentbench_lsp.runner.sandbox import available
from tests.cli.conftest import Run
from tests.helpers.build import exists, must_pass, save, task_dict, unmodified, write


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return save(tmp_path / "j.json", {"steps": [write("a.txt", "beta\n")]})


def test_text(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    save(tmp_path / "t.json", task_dict(exists("a.txt", "beta"), unmodified("a.txt"), must_pass("grep -q beta a.txt")))
    done = agentbench("run", "--task", "t.json", "--trajectory", "j.json")
    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "FAIL t",
        "  ok   [0] assertion_exists: pattern is found in a.txt",
        "  FAIL [1] file_not_modified: a.txt was modified (6 bytes before, 5 after)",
        "       it passed until step 0 (write_file)",
        "       @@ -1 +1 @@",
        "       -alpha",
        "       +beta",
        "  ok   [2] test_must_pass: exit code 0",
        "0 of 1 task passed, 1 failed",
    ]


def test_json(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    save(tmp_path / "t.json", task_dict(must_pass("echo hi"), exists("a.txt", "beta")))
    done = agentbench("run", "--task", "t.json", "--trajectory", "j.json", "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    oracles = report["tasks"][0].pop("oracles")
    assert report == {
        "passed": True,
        "tasks": [{"task_id": "t", "task_file": "t.json", "passed": True, "error": None}],
    }
    assert [set(o) for o in oracles] == [{"index", "type", "passed", "message", "details", "seconds"}] * 2
    assert oracles[0]["details"]["stdout"] == "hi\n"
    assert oracles[1]["details"] == {"path": "a.txt", "pattern": "beta"}


def test_one_oracle(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    save(tmp_path / "t.json", task_dict(must_pass("false"), must_pass("true")))
    only = ("run", "--task", "t.json", "--trajectory", "j.json", "--oracle")
    assert agentbench(*only, 1).returncode == 0
    assert agentbench(*only, 0).returncode == 1
    beyond = agentbench(*only, 2)
    assert beyond.returncode == 2
    assert "no oracle 2" in beyond.stderr
    assert agentbench(*only, "x").returncode == 2


def test_the_kept_workspace(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    save(tmp_path / "t.json", task_dict(must_pass("echo x > made")))
    done = agentbench(
        "run", "--task", "t.json", "--trajectory", "j.json", "--keep-workspace", "--json", env={"TMPDIR": str(tmp_path)}
    )
    kept = Path(json.loads(done.stdout)["tasks"][0]["workspace"])
    assert (kept / "made").read_text() == "x\n"
    assert (kept / "a.txt").read_text() == "beta\n"


GOOD = json.dumps(task_dict())


@pytest.mark.parametrize(
    ("task", "steps", "says"),
    [
        ("{", "{}", "not valid JSON at line 1, column 2"),
        ("\ufeff" + GOOD, '{"steps": 1}', "j.json cannot be used: not a valid document"),
        (GOOD, "{", "j.json cannot be used: not valid JSON"),
        (GOOD, None, "j.json cannot be used: cannot be read"),
        (None, '{"steps": []}', "cannot be read: No such file"),
        ('{"id": "x"}', '{"steps": []}', "oracles: the field 'oracles' is missing"),
        ('{"a": 1, "a": 2}', '{"steps": []}', "a: the key 'a' stands twice"),
        ("[" * 100_000, '{"steps": []}', "nested too deeply"),
    ],
)
def test_what_cannot_be_judged_has_exit_code_2_and_a_reason(
    agentbench: Run, tmp_path: Path, task: str | None, steps: str | None, says: str
) -> None:
    if task is not None:
        (tmp_path / "t.json").write_text(task, encoding="utf-8")
    if steps is not None:
        (tmp_path / "j.json").write_text(steps)
    done = agentbench("run", "--task", "t.json", "--trajectory", "j.json")
    assert done.returncode == 2
    assert says in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "PASS" not in done.stdout


def test_a_bad_task_in_json(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    (tmp_path / "t.json").write_bytes(b"\xff")
    done = agentbench("run", "--task", "t.json", "--trajectory", "j.json", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["tasks"] == [
        {"task_id": "", "task_file": "t.json", "passed": False, "error": "not UTF-8 text (byte 0)", "oracles": []}
    ]


def test_a_folder_is_no_task(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    (tmp_path / "t.json").mkdir()
    assert agentbench("run", "--task", "t.json", "--trajectory", "j.json").returncode == 2


@pytest.mark.parametrize("name", ["t\nPASS forged", "\x1b[31mred", "a\u202eb", "é😀"])
def test_no_id_can_forge_a_line_or_reach_the_terminal_raw(
    agentbench: Run, tmp_path: Path, recording: Path, name: str
) -> None:
    save(tmp_path / "t.json", task_dict(must_pass("printf 'E\\033[1m\\nPASS x\\n' >&2; false"), id=name))
    for env in ({}, {"PYTHONIOENCODING": "ascii"}):
        done = agentbench("run", "--task", "t.json", "--trajectory", "j.json", env=env)
        assert done.returncode == 1
        assert len(done.stdout.splitlines()) == 5
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout
        assert not any(line.startswith("PASS") for line in done.stdout.splitlines())


def test_the_baseline(agentbench: Run, tmp_path: Path) -> None:
    save(tmp_path / "t.json", task_dict(must_pass("true"), unmodified("a.txt"), exists("a.txt", "beta")))
    done = agentbench("run", "--task", "t.json", "--baseline")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "OK   t before the agent does anything",
        "  passes [0] test_must_pass: exit code 0",
        "         measures nothing yet: the command passes before the agent does anything. Let it check what the prompt"
        " asks for, so that it fails now; keep it as it is only to notice regressions",
        "  guards [1] file_not_modified: a.txt is unchanged",
        "  fails  [2] assertion_exists: pattern `beta` is not found in a.txt",
        "1 of 1 task measured something",
    ]


def test_a_baseline_that_fails_for_want_of_a_tool(agentbench: Run, tmp_path: Path) -> None:
    save(tmp_path / "t.json", task_dict(must_pass("no-such-tool")))
    done = agentbench("run", "--task", "t.json", "--baseline")
    assert done.returncode == 0
    assert "if that is not what the agent is to make, it measures nothing here" in done.stdout


def test_a_baseline_that_measures_nothing(agentbench: Run, tmp_path: Path) -> None:
    save(tmp_path / "t.json", task_dict(unmodified("a.txt")))
    done = agentbench("run", "--task", "t.json", "--baseline")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "NOTHING MEASURED t before the agent does anything"
    assert "an agent that does nothing solves the task" in done.stdout
    report = json.loads(agentbench("run", "--task", "t.json", "--baseline", "--json").stdout)
    assert (report["tasks"][0]["baseline"], report["passed"]) == (True, True)
    assert report["tasks"][0]["oracles"][0]["details"]["baseline"]["state"] == "guard"


def test_a_command_that_passes_untouched_too(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    save(tmp_path / "t.json", task_dict(must_pass(f"echo x >> {tmp_path / 'runs'}")))
    files = ("run", "--task", "t.json", "--trajectory", "j.json")
    assert "warning: the command passes on the untouched workspace too" in agentbench(*files).stdout
    assert (tmp_path / "runs").read_text() == "x\nx\n"
    assert "warning" not in agentbench(*files, "--no-untouched").stdout
    assert (tmp_path / "runs").read_text() == "x\nx\nx\n"


def test_either_a_trajectory_or_the_baseline(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    save(tmp_path / "t.json", task_dict())
    for more in ((), ("--baseline", "--trajectory", "j.json")):
        done = agentbench("run", "--task", "t.json", *more)
        assert done.returncode == 2
        assert "give --trajectory FILE, or --baseline" in done.stderr


def test_the_sandbox_is_told(agentbench: Run, tmp_path: Path, recording: Path) -> None:
    save(tmp_path / "t.json", task_dict(must_pass("true")))
    for command in (("run", "--task", "t.json"), ("gate", "--tasks", ".")):
        done = agentbench(*command, "--trajectory", "j.json", "--sandbox", "auto")
        assert f"sandbox: {available().told}" in done.stdout
        assert "sandbox" not in agentbench(*command, "--trajectory", "j.json").stdout


def test_usage(agentbench: Run) -> None:
    assert agentbench().returncode == 2
    assert agentbench("run").returncode == 2
    assert agentbench("nonsense").returncode == 2
    assert agentbench("--help").returncode == 0
    assert "0.1.0" in agentbench("--version").stdout

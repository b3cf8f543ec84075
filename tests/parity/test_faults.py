"""The faults of AgentBench OS v0.1.0, by their numbers in its list. None of them exists here.

V: wrong verdicts. E: escapes and trust. P: processes, time, memory. C: crashes and exit codes. What has a whole
test file of its own elsewhere is here in its recorded form only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentbench_lsp.dsl import ValidationError, validate_task_dict
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.manifest import ManifestError, selected_names
from agentbench_lsp.runner.trajectory import Trajectory
from tests.helpers.build import (
    bash,
    evaluate,
    exists,
    must_pass,
    replace,
    save,
    task,
    task_dict,
    trajectory,
    unmodified,
    write,
)
from tests.runner.test_shell import is_alive

NET = {"type": "no_network"}
COMMAND = [sys.executable, "-m", "agentbench_lsp"]


def test_v1_an_edit_is_a_replacement_not_the_whole_file() -> None:
    for tool in ("str_replace", "StrReplace", "edit_file"):
        step = {**replace("m.py", "A = 1", "A = 9"), "tool": tool}
        assert evaluate(exists("m.py", "B = 2"), step, workspace={"m.py": "A = 1\nB = 2\n"}).passed


@pytest.mark.parametrize("spelling", ["./a.txt", "d/../a.txt", "a.txt/", ".\\a.txt"])
def test_v2_no_spelling_of_a_path_gets_around_a_protection(spelling: str) -> None:
    assert not evaluate(unmodified("a.txt"), write(spelling, "changed")).passed
    assert not evaluate(unmodified("d/b"), write("d//b", "changed"), workspace={"d/b": "x"}).passed


def test_v3_bytes_are_compared() -> None:
    assert evaluate(unmodified("a"), write("a", "one\r\n"), workspace={"a": "one\r\n"}).passed
    assert not evaluate(unmodified("a"), write("a", "one\r\n"), workspace={"a": "one\n"}).passed


@pytest.mark.parametrize("content", [None, 0, False, []])
def test_v4_an_edit_without_content_does_not_empty_the_file(content: object) -> None:
    assert evaluate(exists("a.txt", "alpha"), write("a.txt", content)).passed
    assert evaluate(exists("a.txt", "alpha"), {"tool": "edit_file", "args": {"path": "a.txt"}}).passed


def test_v4_an_empty_content_is_a_content() -> None:
    step = {"tool": "write_file", "args": {"path": "a.txt", "content": "", "new_string": "n"}}
    assert evaluate(exists("a.txt", r"\A\Z"), step).passed


def test_v5_a_file_named_as_the_runner_does_not_pass_the_tests() -> None:
    workspace = {"t.py": "def test():\n    assert False\n"}
    assert not evaluate(must_pass("python -m pytest t.py -q"), write("pytest.py", ""), workspace=workspace).passed


@pytest.mark.parametrize("command", ["   ", "# x"])
def test_v6_a_command_that_does_nothing_does_not_pass(command: str) -> None:
    assert not evaluate(must_pass(command)).passed


def test_v8_network_access_is_found_and_prose_is_not() -> None:
    install = ["pip3 install x", "pip  install x", "pip -q install x", "npm i x", "pip download x", "npx x"]
    for command in [*install, "c''url x", "git clone git@h:r"]:
        assert not evaluate(NET, bash(command)).passed, command
    for prose in ("Handles all requests. Done", "curly", "prefetch("):
        assert evaluate(NET, write("a.md", prose)).passed, prose


def test_v10_no_command_can_launder_a_change() -> None:
    launder = must_pass("printf 'alpha\n' > a.txt")
    for oracles in ([launder, unmodified("a.txt")], [unmodified("a.txt"), launder]):
        result = Evaluator().evaluate(task(*oracles), trajectory(write("a.txt", "x")))
        assert {r.oracle_type: r.passed for r in result.oracle_results}["file_not_modified"] is False


def test_v11_absolute_paths_of_a_checkout_reach_the_file() -> None:
    assert evaluate(exists("a.txt", "new"), write("/home/me/proj/a.txt", "new")).passed


def test_v12_a_failed_call_changes_nothing() -> None:
    assert evaluate(unmodified("a.txt"), write("a.txt", "x", success=False)).passed


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where workspaces are made; what escapes from them lands in or beside it."""
    import tempfile

    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return tmp_path


def files_below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", ["../../victim.txt", "..\\..\\victim.txt", "a/../../../victim.txt"])
def test_e1_replay_writes_nothing_outside(sandbox: Path, path: str) -> None:
    evaluate(must_pass("true"), write(path, "x"))
    assert files_below(sandbox) == []


def test_e2_workspace_keys_write_nothing_outside(sandbox: Path) -> None:
    document = task_dict(must_pass("true"), workspace={"../../victim.txt": "x", "a": ""})
    with pytest.raises(ValidationError):
        validate_task_dict(document)
    evaluate(must_pass("true"), workspace={"../../victim.txt": "x", "a": ""})
    assert files_below(sandbox) == []


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../../../../etc/passwd"])
def test_e3_no_file_of_the_machine_is_read(path: str) -> None:
    assert not evaluate(exists(path, "^root:")).passed


def test_e4_absolute_keys_do_not_touch_the_real_file(tmp_path: Path) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("precious")
    workspace = {str(victim): "precious"}
    with pytest.raises(ValidationError):
        validate_task_dict(task_dict(unmodified(str(victim)), workspace=workspace))
    assert not evaluate(unmodified(str(victim)), write(str(victim), "other"), workspace=workspace).passed
    assert victim.read_text() == "precious"


def test_e5_an_edit_cannot_steer_the_test_runs_of_other_tasks(sandbox: Path) -> None:
    failing = {"t.py": "def test():\n    assert False\n"}
    steps = trajectory(
        write("../pytest.ini", "[pytest]\naddopts = --co"), write("../conftest.py", "import os; os._exit(0)")
    )
    for name in "ab":
        save(sandbox / "tasks" / f"{name}.json", task_dict(must_pass("python -m pytest t.py -q"), workspace=failing))
    assert [r.passed for r in Evaluator().evaluate_directory(sandbox / "tasks", steps)] == [False, False]


def test_e6_manifest_names_stay_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    save(tmp_path.parent / "elsewhere.json", task_dict())
    manifest = save(tmp_path / "tasks" / "m.json", {"task_files": ["../../elsewhere.json"]})
    with pytest.raises(ManifestError):
        selected_names(manifest, tmp_path / "tasks")


def test_e8_secrets_stay_out_of_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    assert not evaluate(must_pass('test -n "$SECRET_TOKEN"')).passed


def test_p1_at_the_timeout_the_whole_tree_dies(tmp_path: Path) -> None:
    pid, late = tmp_path / "PID", tmp_path / "LATE"
    command = f"sh -c 'echo $$ > {pid}; sleep 2; echo late > {late}; exec sleep 30'; true"
    assert evaluate(must_pass(command, timeout=0.5)).details["timed_out"]
    assert not is_alive(int(pid.read_text()))
    assert not late.exists()


def test_p2_background_processes_of_a_passing_command_die(tmp_path: Path) -> None:
    pid = tmp_path / "PID"
    assert evaluate(must_pass(f"sleep 30 >/dev/null 2>&1 & echo $! > {pid}")).passed
    assert not is_alive(int(pid.read_text()))


@pytest.mark.parametrize("stream", ["1", "2"])
def test_p3_output_is_kept_to_a_cap(stream: str) -> None:
    """The evaluating process gets 400 MB of address space; the command prints 600."""
    code = (
        "import resource, json, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))\n"
        "from tests.helpers.build import evaluate, must_pass\n"
        f"r = evaluate(must_pass('head -c 600000000 /dev/zero >&{stream}; exit 1'))\n"
        "print(json.dumps([r.passed, r.details['truncated'], len(r.details['stdout'] + r.details['stderr'])]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    passed, truncated, kept = json.loads(done.stdout)
    assert (passed, truncated) == (False, True)
    assert kept < 2 << 20


def test_p4_endless_output_ends_with_the_timeout() -> None:
    result = evaluate(must_pass("yes", timeout=0.5))
    assert result.details["timed_out"]
    assert result.details["truncated"]


def test_p5_a_pattern_that_backtracks_for_ever_is_stopped() -> None:
    result = Evaluator(regex_seconds=0.3).evaluate(
        task(exists("a", "(a+)+$"), workspace={"a": "a" * 40 + "!"}), trajectory()
    )
    assert "too costly" in result.oracle_results[0].message


def test_p7_a_command_has_no_stdin(tmp_path: Path) -> None:
    save(tmp_path / "t.json", task_dict(must_pass("python"), must_pass("cat", timeout=10)))
    save(tmp_path / "j.json", {"steps": []})
    run = [*COMMAND, "run", "--task", "t.json", "--trajectory", "j.json"]
    done = subprocess.run(run, cwd=tmp_path, input=b"import sys; sys.exit(3)", capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    with subprocess.Popen(run, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as waiting:
        assert waiting.wait(60) == 0


def test_p8_a_timeout_of_null_does_not_switch_the_limit_off() -> None:
    from agentbench_lsp.oracles import test_must_pass as module

    assert module._seconds(None) == module.DEFAULT_TIMEOUT


def test_p9_sigterm_says_what_is_known_and_leaves_nothing(tmp_path: Path) -> None:
    import signal

    os.mkfifo(tmp_path / "PID")
    (tmp_path / "temporary").mkdir()
    save(tmp_path / "tasks" / "1.json", task_dict(id="one"))
    save(tmp_path / "tasks" / "2.json", task_dict(must_pass(f"echo $$ > {tmp_path / 'PID'}; sleep 30; true")))
    save(tmp_path / "j.json", {"steps": []})
    run = [*COMMAND, "gate", "--tasks", "tasks", "--trajectory", "j.json"]
    env = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    with subprocess.Popen(run, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=env) as gate:
        pid = int((tmp_path / "PID").read_text())
        gate.send_signal(signal.SIGTERM)
        out, _ = gate.communicate(timeout=60)
    assert out.startswith("PASS one\n")
    assert not is_alive(pid)
    assert list((tmp_path / "temporary").iterdir()) == []


def test_p10_a_verdict_is_printed_when_its_task_is_done(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    save(tmp_path / "tasks" / "1.json", task_dict(id="one"))
    save(tmp_path / "tasks" / "2.json", task_dict(must_pass(f"cat {tmp_path / 'go'}")))
    save(tmp_path / "j.json", {"steps": []})
    run = [*COMMAND, "gate", "--tasks", "tasks", "--trajectory", "j.json"]
    with subprocess.Popen(run, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as gate:
        assert gate.stdout
        assert gate.stdout.readline() == "PASS one\n"
        (tmp_path / "go").write_text("")  # only now can the second task end
        assert gate.wait(60) == 0


def test_p12_the_kept_workspace_exists() -> None:
    import shutil

    kept = Evaluator().evaluate(task(), trajectory(), keep_workspace=True).workspace_path
    assert kept is not None
    assert kept.exists()
    shutil.rmtree(kept.parent)


def test_p13_steps_are_read_once_however_many_oracles_ask() -> None:
    reads = 0

    class Counted(dict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            nonlocal reads
            reads += key == "tool"
            return super().get(key, default)

    recorded = Trajectory.from_dict({"steps": [Counted(write(f"f{i}", "x")) for i in range(100)]})
    recorded.touched_file("f1")
    first = reads
    for i in range(100):
        recorded.touched_file(f"f{i}")
    assert reads == first


ODD_ORACLES: list[dict[str, Any]] = [
    exists("a.txt", "("),
    {"type": "assertion_exists", "path": "a.txt", "pattern": 3},
    {"type": "assertion_exists", "path": 3, "pattern": "x"},
    exists("d", "x"),
    exists(".", "x"),
    {"type": "file_not_modified", "path": ["a.txt"]},
    {"type": "file_not_modified", "path": {}},
    {"type": "test_must_pass", "command": None},
    {"type": "test_must_pass", "command": ["true"]},
    must_pass("a\0b"),
    must_pass("printf '\\377'; exit 1"),
    must_pass("true", timeout=""),
    must_pass("true", timeout=1e12),
]
ODD_STEPS: list[dict[str, Any]] = [
    write("a.txt", 3),
    write("a.txt", ["x"]),
    write("a.txt", {"an": "object"}),
    write("d", "x"),
    write("/", "x"),
    write("n" * 300, "x"),
    write("a\0", "x"),
    write("\ud83d", "x"),
    write("b", "\ud83d"),
    {"tool": "write_file", "args": {"path": 3, "content": "x"}},
    {"tool": "write_file", "args": None},
    {"tool": ["write_file"], "args": {"path": "a.txt", "content": "x"}},
    write("a.txt/below", "x"),
]


@pytest.mark.parametrize("oracle", ODD_ORACLES, ids=repr)
def test_c1_no_oracle_takes_the_verdicts_of_the_others(oracle: dict[str, Any]) -> None:
    judged = task(unmodified("a.txt"), oracle, exists("a.txt", "alpha"), workspace={"a.txt": "alpha\n", "d/e": ""})
    first, _, third = Evaluator().evaluate(judged, trajectory()).oracle_results
    assert (first.passed, third.passed) == (True, True)


@pytest.mark.parametrize("step", ODD_STEPS, ids=repr)
def test_c1_no_step_takes_the_verdicts(step: dict[str, Any]) -> None:
    judged = task(unmodified("d/e"), must_pass("true"), workspace={"a.txt": "alpha\n", "d/e": ""})
    assert [r.passed for r in Evaluator().evaluate(judged, trajectory(step)).oracle_results] == [True, True]


def test_c2_one_bad_task_does_not_end_the_gate(tmp_path: Path) -> None:
    for name in "abd":
        save(tmp_path / f"{name}.json", task_dict())
    save(tmp_path / "c.json", task_dict(exists("a.txt", "(")))
    assert [r.passed for r in Evaluator().evaluate_directory(tmp_path, trajectory())] == [True, True, False, True]


def test_c3_a_manifest_that_names_itself_is_an_error(tmp_path: Path) -> None:
    manifest = save(tmp_path / "m.json", {"task_subset": "m.json"})
    with pytest.raises(ManifestError):
        selected_names(manifest, tmp_path)


def test_c7_exit_codes_tell_the_failures_apart(tmp_path: Path) -> None:
    save(tmp_path / "good" / "a.json", task_dict())
    save(tmp_path / "failing" / "a.json", task_dict(must_pass("false")))
    save(tmp_path / "bad" / "a.json", {"id": "x"})
    (tmp_path / "empty").mkdir()
    save(tmp_path / "j.json", {"steps": []})
    save(tmp_path / "m.json", [])

    def code(tasks: str, *more: str) -> int:
        run = [*COMMAND, "gate", "--tasks", tasks, "--trajectory", "j.json", *more]
        return subprocess.run(run, cwd=tmp_path, capture_output=True, check=False).returncode

    assert [code("good"), code("failing"), code("bad"), code("empty"), code("gone")] == [0, 1, 2, 2, 2]
    assert code("good", "--manifest", "m.json") == 2
    assert code("good", "--nonsense") == 2

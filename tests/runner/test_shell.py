"""One command: limits, output, and no process left behind."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from agentbench_lsp.runner.environment import clean_environment, looks_secret
from agentbench_lsp.runner.shell import CommandResult, run_command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")


def run(command: str, cwd: Path, timeout: float = 20, cap: int = 1 << 20) -> CommandResult:
    return run_command(command, cwd, timeout, cap=cap)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_exit_code_and_both_streams(tmp_path: Path) -> None:
    done = run("echo out; echo err >&2; exit 3", tmp_path)
    assert (done.exit_code, done.stdout, done.stderr, done.timed_out) == (3, "out\n", "err\n", False)


@pytest.mark.parametrize(
    "spell",
    [
        "sleep 60 & echo $! > PID",
        "setsid sh -c 'echo $$ > PID; exec sleep 60' & until [ -s PID ]; do :; done",
        "nohup sleep 60 > /dev/null 2>&1 & echo $! > PID",
    ],
)
def test_background_processes_of_a_command_that_has_ended_are_killed(tmp_path: Path, spell: str) -> None:
    assert run(spell, tmp_path).exit_code == 0
    assert not is_alive(int((tmp_path / "PID").read_text()))


def test_at_the_timeout_the_whole_tree_is_killed(tmp_path: Path) -> None:
    started = time.monotonic()
    done = run("sh -c 'echo $$ > PID; sleep 60; true'; true", tmp_path, timeout=0.5)
    assert done.timed_out
    assert done.exit_code is None
    assert time.monotonic() - started < 10
    assert not is_alive(int((tmp_path / "PID").read_text()))


def test_output_is_capped_while_it_streams(tmp_path: Path) -> None:
    done = run("yes 0123456789 | head -c 30000000; echo END", tmp_path, cap=10_000)
    assert done.truncated
    assert len(done.stdout) < 11_000
    assert done.stdout.startswith("0123456789\n")
    assert done.stdout.endswith("END\n")
    assert "bytes left out" in done.stdout
    endless = run("yes", tmp_path, timeout=0.5, cap=10_000)
    assert endless.timed_out
    assert len(endless.stdout) < 11_000


def test_output_that_is_no_utf8_is_shown_as_far_as_it_can_be(tmp_path: Path) -> None:
    assert run("printf 'a\\377b'", tmp_path).stdout == "a\ufffdb"


def test_there_is_no_stdin(tmp_path: Path) -> None:
    assert run("cat", tmp_path, timeout=10).exit_code == 0


def test_a_signal_is_a_negative_exit_code(tmp_path: Path) -> None:
    assert run("kill -9 $$", tmp_path).exit_code == -9


def test_secrets_stay_out_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (
        "GITHUB_TOKEN",
        "MY_SECRET",
        "AWS_SECRET_ACCESS_KEY",
        "DB_PASSWORD",
        "OPENAI_API_KEY",
        "SSH_AUTH_SOCK",
    ):
        monkeypatch.setenv(name, "s3cret")
    monkeypatch.setenv("PLAIN", "yes")
    assert "s3cret" not in run("env", tmp_path).stdout
    assert "PLAIN=yes" in run("env", tmp_path).stdout
    assert clean_environment(["DB_PASSWORD"])["DB_PASSWORD"] == "s3cret"
    monkeypatch.setenv("AGENTBENCH_PASS_ENV", "MY_SECRET,X")
    assert clean_environment()["MY_SECRET"] == "s3cret"


@pytest.mark.parametrize(
    "name", ["PATH", "HOME", "KEYBOARD", "MONKEY", "TOKENIZERS_PARALLELISM", "AUTHOR", "PYTHONPATH"]
)
def test_ordinary_names_are_no_secrets(name: str) -> None:
    assert not looks_secret(name)


def test_the_environment_is_the_same_everywhere() -> None:
    env = clean_environment(source={"TZ": "Asia/Tokyo", "LC_ALL": "de_DE", "PATH": os.defpath})
    assert (env["TZ"], env["LC_ALL"], env["PYTHONHASHSEED"]) == ("UTC", "C.UTF-8", "0")

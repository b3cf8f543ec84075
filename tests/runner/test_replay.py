"""Replay: what the steps make of the workspace, in memory and on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.runner.agent_runner import AgentRunner, materialise, materialised, remove_workspace
from agentbench_lsp.runner.replay import replay
from tests.helpers.build import replace, task, trajectory, write


def files(workspace: dict[str, str], *steps: dict[str, Any], **metadata: Any) -> dict[str, bytes]:
    return replay(workspace, trajectory(*steps, **metadata)).files


def status(workspace: dict[str, str], step: dict[str, Any]) -> str:
    return replay(workspace, trajectory(step)).reports[0].status


def test_content_is_the_whole_file_and_old_string_is_replaced() -> None:
    assert files({"a": "one two"}, write("a", "new"))["a"] == b"new"
    assert files({"a": "one two"}, replace("a", "one", "1"))["a"] == b"1 two"
    assert files({"a": "x x"}, replace("a", "x", "y", replace_all=True))["a"] == b"y y"
    assert files({"a": "1"}, {"tool": "edit_file", "args": {"path": "a", "old_str": "1", "new_str": "2"}})["a"] == b"2"
    assert files({"a": "1"}, write("new/file", ""))["new/file"] == b""


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (replace("a", "zwei", "2"), "not in the file"),
        (replace("a", "x", "y"), "2 times"),
        (replace("gone", "x", "y"), "does not exist"),
        (replace("a", "", "y"), "exists"),
        ({"tool": "write_file", "args": {"path": "a"}}, "no text to write"),
        ({"tool": "write_file", "args": {"path": "a", "content": {"an": "object"}}}, "no text to write"),
        ({"tool": "write_file", "args": {"content": "x"}}, "names no file"),
        (write("a/b", "x"), "is a file, not a folder"),
        (write("d", "x"), "is a folder"),
        (write("", "x"), "names no file"),
        (write("./", "x"), "workspace folder itself"),
        (write("a\0", "x"), "NUL"),
        (write("b", "\ud83d"), "surrogate"),
        (write("n" * 300, "x"), "too long"),
    ],
)
def test_an_edit_that_does_not_fit_leaves_everything_as_it_was(step: dict[str, Any], reason: str) -> None:
    workspace = {"a": "x and x", "d/e": "1"}
    done = replay(workspace, trajectory(step))
    assert done.files == done.initial
    assert done.reports[0].status == "not-applied"
    assert reason in done.reports[0].reason


def test_crlf_files_keep_their_line_ends() -> None:
    crlf = {"a": "one\r\ntwo\r\nthree\r\n"}
    assert files(crlf, replace("a", "one\ntwo\n", "1\n2\n"))["a"] == b"1\r\n2\r\nthree\r\n"
    assert files(crlf, replace("a", "two\r\n", "2\r\n"))["a"] == b"one\r\n2\r\nthree\r\n"
    report = replay(crlf, trajectory(replace("a", "one\ntwo", "1\n2"))).reports[0]
    assert report.status == "applied"
    assert "CRLF" in report.reason


@pytest.mark.parametrize("path", ["../x", "../../victim.txt", "..\\..\\v", "a/../../v", "/../v"])
def test_nothing_outside_is_written(path: str) -> None:
    done = replay({"a": "1"}, trajectory(write(path, "x"), cwd="/home/me/p"))
    assert done.files == {"a": b"1"}
    assert done.reports[0].status == "outside-workspace"


def test_failed_steps_are_not_applied() -> None:
    assert status({"a": "1"}, write("a", "2", is_error=True)) == "recorded-as-failed"


def test_without_a_recorded_folder_it_is_inferred_from_the_workspace() -> None:
    done = replay({"src/a.py": "1"}, trajectory(write("/home/me/p/src/a.py", "2"), write("/home/me/p/new.py", "3")))
    assert done.inferred_root == "/home/me/p"
    assert done.files == {"src/a.py": b"2", "new.py": b"3"}


PATHS = st.text(st.sampled_from("ab./\\\0:\ud83d~é"), max_size=12)


@given(
    st.lists(st.tuples(PATHS, st.text(max_size=5)), max_size=6), st.dictionaries(PATHS, st.text(max_size=5), max_size=4)
)
def test_whatever_the_paths_are_only_the_workspace_is_written(
    edits: list[tuple[str, str]], workspace: dict[str, str]
) -> None:
    done = replay(workspace, trajectory(*[write(path, content) for path, content in edits]))
    root: Path | None = None
    try:
        root = materialise(done.files)
    except OSError:
        return  # keys that exclude each other; validation refuses them
    try:
        assert [p.name for p in root.parent.iterdir()] == ["workspace"]
        on_disk = {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}
        assert on_disk == done.files
    finally:
        remove_workspace(root)


def test_bytes_stay_bytes_and_the_folder_goes() -> None:
    with materialised({"d/a": b"\xff\r\n\0"}) as root:
        assert (root / "d" / "a").read_bytes() == b"\xff\r\n\0"
        (root / "d").chmod(0o500)
    assert not root.parent.exists()


def test_the_runner_of_the_seed() -> None:
    root = AgentRunner().run(task(workspace={"a": "1\r\n"}), trajectory(write("b", "2")))
    try:
        assert (root / "a").read_bytes() == b"1\r\n"
        assert (root / "b").read_text() == "2"
    finally:
        remove_workspace(root)

"""What a trajectory says of itself."""

from __future__ import annotations

import pytest

from tests.helpers.build import bash, replace, trajectory, write


def test_edits_in_order_with_normalised_paths() -> None:
    recorded = trajectory(
        write("src\\a.py", "1"),
        bash("ls"),
        {"type": "file_edit", "args": {"file_path": "./b.py", "new_string": "2"}},
        {"tool": "Write", "args": {"target_file": "c/../d.py", "content": ""}},
        {"tool": "read_file", "args": {"path": "e.py"}},
    )
    assert recorded.file_edits() == [(0, "src/a.py", "1"), (2, "b.py", "2"), (3, "d.py", "")]
    assert [recorded.touched_file(p) for p in ("src/a.py", "./src//a.py", "d.py", "e.py")] == [True, True, True, False]


@pytest.mark.parametrize("tool", ["write_file", "edit_file", "str_replace", "Write", "StrReplace"])
def test_write_tools(tool: str) -> None:
    assert trajectory({"tool": tool, "args": {"path": "a", "content": "x"}}).file_edits() == [(0, "a", "x")]


@pytest.mark.parametrize("tool", ["run_command", "shell", "bash", "Bash", "execute"])
def test_command_tools(tool: str) -> None:
    assert trajectory({"tool": tool, "args": {"cmd": "ls"}}).commands() == [(0, "ls")]


def test_commands_as_lists_of_words_are_quoted() -> None:
    assert trajectory(bash("x"), {"type": "command", "args": {"command": ["echo", "a b"]}}).commands() == [
        (0, "x"),
        (1, "echo 'a b'"),
    ]


@pytest.mark.parametrize(
    "failure",
    [
        {"error": "no such file"},
        {"is_error": True},
        {"success": False},
        {"status": "failed"},
        {"status": "Error"},
        {"result": {"is_error": True}},
    ],
)
def test_failed_edits_did_not_happen(failure: dict[str, object]) -> None:
    recorded = trajectory(write("a.txt", "x", **failure))
    assert recorded.file_edits() == []
    assert not recorded.touched_file("a.txt")


def test_absolute_paths_are_relative_to_the_recorded_folder() -> None:
    recorded = trajectory(write("/home/me/p/a.txt", "x"), write("/tmp/b.txt", "y"), cwd="/home/me/p")
    assert recorded.file_edits()[0] == (0, "a.txt", "x")
    assert recorded.file_edits()[1][1].startswith("../")
    assert recorded.touched_file("/home/me/p/a.txt")


@pytest.mark.parametrize(
    "step",
    [
        {},
        {"args": None},
        {"tool": ["bash"], "args": 7},
        {"tool": "bash", "args": {"command": 3}},
        {"tool": "Write", "args": {"path": 1}},
    ],
)
def test_odd_steps_are_passed_over(step: dict[str, object]) -> None:
    recorded = trajectory(step)
    assert recorded.file_edits() == []
    assert recorded.commands() == []


def test_network_violations_are_substrings_of_the_step_in_any_case() -> None:
    recorded = trajectory(bash("CURL x; wget y"), write("a", "nothing"), replace("a", "x", "HTTPS://é"))
    assert recorded.find_network_violations(["wget", "curl", "https://é"]) == [
        {"step_index": 0, "tool": "bash", "match": "wget"},
        {"step_index": 2, "tool": "str_replace", "match": "https://é"},
    ]

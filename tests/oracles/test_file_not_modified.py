"""`file_not_modified`."""

from __future__ import annotations

import pytest

from tests.helpers.build import bash, evaluate, replace, unmodified, write

WS = {"src/a.txt": "alpha\n", "b.txt": "one\r\n"}


def test_untouched_or_written_back_passes() -> None:
    assert evaluate(unmodified("src/a.txt"), workspace=WS).passed
    assert evaluate(
        unmodified("src/a.txt"), write("src/a.txt", "x"), write("src/a.txt", "alpha\n"), workspace=WS
    ).passed


@pytest.mark.parametrize(
    "spelling", ["src/a.txt", "./src/a.txt", "src//a.txt", "x/../src/a.txt", "src\\a.txt", "src/a.txt/"]
)
@pytest.mark.parametrize("protected", ["src/a.txt", "./src/a.txt", "src\\a.txt"])
def test_no_spelling_gets_around_it(spelling: str, protected: str) -> None:
    assert not evaluate(unmodified(protected), write(spelling, "x"), workspace=WS).passed


def test_bytes_are_compared() -> None:
    assert evaluate(unmodified("b.txt"), write("b.txt", "one\r\n"), workspace=WS).passed
    assert not evaluate(unmodified("b.txt"), write("b.txt", "one\n"), workspace=WS).passed


def test_a_file_that_is_not_there_is_the_tasks_fault() -> None:
    result = evaluate(unmodified("gone.txt"), workspace=WS)
    assert not result.passed
    assert "fix the task" in result.message
    assert result.details["path"] == "gone.txt"
    assert "diff" not in result.details


@pytest.mark.parametrize("path", ["", None, 3, True, ["a"], {}])
def test_odd_paths_fail(path: object) -> None:
    assert not evaluate({"type": "file_not_modified", "path": path}, workspace=WS).passed


def test_a_command_that_may_have_changed_it_is_a_warning_with_its_step() -> None:
    result = evaluate(unmodified("src/a.txt"), bash("ls"), bash("sed -i s/a/b/ src/a.txt"), workspace=WS)
    assert result.passed
    assert result.details["warnings"] == [
        "step 1: the command may have changed src/a.txt; replay does not run commands"
    ]


def test_an_edit_that_did_not_apply_is_a_warning() -> None:
    result = evaluate(unmodified("src/a.txt"), replace("src/a.txt", "nowhere", "x"), workspace=WS)
    assert result.passed
    assert "was not applied" in result.details["warnings"][0]


def test_an_edit_of_an_unknown_kind_is_a_warning() -> None:
    step = {"tool": "SmartEdit", "args": {"file_path": "src/a.txt", "edits": []}}
    result = evaluate(unmodified("src/a.txt"), step, workspace=WS)
    assert "'SmartEdit' looks like an edit" in result.details["warnings"][0]

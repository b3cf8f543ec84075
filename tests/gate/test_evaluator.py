"""Verdicts: what oracles see, what they cannot do to each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentbench_lsp.dsl import ValidationError
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.oracles.base import OracleCheck, Param, register_oracle, unregister_oracle
from agentbench_lsp.runner.trajectory import Trajectory
from tests.helpers.build import bash, exists, must_pass, save, task, task_dict, trajectory, unmodified, write


def verdicts(*oracles: dict[str, object], steps: tuple[dict[str, object], ...] = (), **more: object) -> list[bool]:
    result = Evaluator().evaluate(task(*oracles, **more), trajectory(*steps))  # type: ignore[arg-type]
    return [r.passed for r in result.oracle_results]


def test_every_oracle_answers_and_all_have_to_pass() -> None:
    result = Evaluator().evaluate(task(must_pass("false"), must_pass("true"), unmodified("a.txt")), trajectory())
    assert [r.passed for r in result.oracle_results] == [False, True, True]
    assert [r.index for r in result.oracle_results] == [0, 1, 2]
    assert all(r.seconds > 0 for r in result.oracle_results)
    assert not result.passed
    assert result.task_id == "t"


def test_commands_share_one_folder_in_order() -> None:
    assert verdicts(
        must_pass("echo x > made"), must_pass("test -f made"), must_pass("rm made"), must_pass("test -f made")
    ) == [True, True, True, False]


@pytest.mark.parametrize(
    "launder", ["printf 'alpha\\n' > a.txt", "rm a.txt", "rm a.txt; mkdir a.txt", "printf '\\377' > a.txt"]
)
def test_file_oracles_judge_what_the_agent_left_not_what_a_command_made_of_it(launder: str) -> None:
    edited = (write("a.txt", "changed"),)
    for order in ([must_pass(launder), unmodified("a.txt")], [unmodified("a.txt"), must_pass(launder)]):
        result = Evaluator().evaluate(task(*order), trajectory(*edited))
        assert {r.oracle_type: r.passed for r in result.oracle_results} == {
            "test_must_pass": True,
            "file_not_modified": False,
        }
    assert verdicts(must_pass(launder), unmodified("a.txt")) == [True, True]
    assert verdicts(must_pass("echo made > m"), exists("m", "made")) == [True, False]


def test_a_command_that_removes_its_folder_fails_the_next_one_only() -> None:
    assert verdicts(must_pass('rm -rf "$PWD"'), must_pass("true"), unmodified("a.txt")) == [True, False, True]


def test_a_single_command_oracle_runs_the_commands_before_it() -> None:
    steps = task(must_pass("echo x > made"), unmodified("a.txt"), must_pass("test -f made"))
    seen: list[int] = []
    result = Evaluator().evaluate(steps, trajectory(), only=2, on_result=lambda r: seen.append(r.index))
    assert [(r.index, r.passed) for r in result.oracle_results] == [(2, True)]
    assert seen == [2]
    assert [r.index for r in Evaluator().evaluate(steps, trajectory(), only=1).oracle_results] == [1]
    with pytest.raises(IndexError):
        Evaluator().evaluate(steps, trajectory(), only=3)


def test_the_kept_workspace_is_there_and_nothing_else_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    steps = trajectory(write("new", "x"))
    assert Evaluator().evaluate(task(must_pass("true")), steps).workspace_path is None
    assert list(tmp_path.iterdir()) == []
    kept = Evaluator().evaluate(task(must_pass("echo made > m")), steps, keep_workspace=True).workspace_path
    assert kept is not None
    assert sorted(path.name for path in kept.iterdir()) == ["a.txt", "m", "new"]


def test_an_escaping_edit_reaches_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert verdicts(
        must_pass("test ! -e ../pytest.ini"), steps=(write("../pytest.ini", "x"), write("../../v", "x"))
    ) == [True]
    assert list(tmp_path.iterdir()) == []


def test_an_inferred_root_is_a_warning() -> None:
    result = Evaluator().evaluate(task(unmodified("a.txt")), trajectory(write("/home/me/p/a.txt", "x")))
    assert not result.passed
    assert "/home/me/p was taken as the workspace" in result.oracle_results[0].details["warnings"][0]


class _Custom(OracleCheck):
    oracle_type = "odd"
    params = (Param("how"),)
    time_limit = 0.3

    def check(
        self, oracle: Oracle, workspace: Path, trajectory: Trajectory, initial_workspace: dict[str, str]
    ) -> OracleResult:
        how = oracle.params["how"]
        if how == "raise":
            raise RuntimeError("boom")
        if how == "exit":
            raise SystemExit(3)
        if how == "hang":
            while True:
                pass
        if how == "print":
            print("hello")
        if how == "nothing":
            return None  # type: ignore[return-value]
        if how == "spoil":
            (workspace / "a.txt").write_text("spoiled")
            initial_workspace.clear()
        return OracleResult(self.oracle_type, True)


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("raise", "RuntimeError: boom"),
        ("exit", "SystemExit"),
        ("hang", "no answer within 0.3 s"),
        ("print", "printed 'hello'"),
        ("nothing", "NoneType"),
    ],
)
def test_an_oracle_registered_in_this_process_fails_alone(how: str, reason: str) -> None:
    register_oracle(_Custom)
    try:
        result = Evaluator().evaluate(task({"type": "odd", "how": how}, unmodified("a.txt")), trajectory())
        assert [r.passed for r in result.oracle_results] == [False, True]
        assert reason in result.oracle_results[0].message
    finally:
        unregister_oracle("odd")


def test_an_oracle_cannot_spoil_what_others_see() -> None:
    register_oracle(_Custom)
    try:
        assert (
            verdicts(
                {"type": "odd", "how": "spoil"},
                exists("a.txt", "alpha"),
                must_pass("grep alpha a.txt"),
                unmodified("a.txt"),
            )
            == [True] * 4
        )
    finally:
        unregister_oracle("odd")


def test_from_files(tmp_path: Path) -> None:
    task_file = save(tmp_path / "t.json", task_dict(must_pass("true")))
    recording = save(tmp_path / "j.json", {"steps": []})
    result = Evaluator().evaluate_files(task_file, recording)
    assert result.passed
    assert result.task_file == str(task_file)
    with pytest.raises(ValidationError):
        Evaluator().evaluate_files(recording, recording)
    with pytest.raises(FileNotFoundError):
        Evaluator().evaluate_files(tmp_path / "gone.json", recording)


def test_a_folder(tmp_path: Path) -> None:
    save(tmp_path / "b.json", task_dict(must_pass("false"), id="b"))
    save(tmp_path / "a.json", task_dict(id="a"))
    save(tmp_path / "bad.json", {"id": "x", "oracles": []})
    save(tmp_path / "manifest_pass.json", {"task_files": ["a.json"]})
    save(tmp_path / "other.json", {"task_subset": "x"})
    save(tmp_path / "recording.json", {"steps": []})
    (tmp_path / "._a.json").write_bytes(b"\0\0")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    results = Evaluator().evaluate_directory(tmp_path, trajectory(bash("ls")))
    assert [(Path(r.task_file or "").name, r.passed, r.error is None) for r in results] == [
        ("a.json", True, True),
        ("b.json", False, True),
        ("bad.json", False, False),
    ]
    assert [
        r.task_id for r in Evaluator().evaluate_directory(tmp_path, trajectory(), tmp_path / "manifest_pass.json")
    ] == ["a"]


def test_one_bad_pattern_does_not_take_the_task_along(tmp_path: Path) -> None:
    save(tmp_path / "a.json", task_dict(exists("a.txt", "("), exists("a.txt", "alpha")))
    (result,) = Evaluator().evaluate_directory(tmp_path, trajectory())
    assert result.error is None
    assert [r.passed for r in result.oracle_results] == [False, True]
    assert "not a valid regex" in result.oracle_results[0].message

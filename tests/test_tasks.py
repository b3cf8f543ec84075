"""The tasks that come with the project: each has a recording that passes and one that does not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.language.finding import Severity
from agentbench_lsp.language.rule_settings import RuleSettings
from agentbench_lsp.project.checking import Checker
from agentbench_lsp.runner.trajectory import Trajectory
from tests.conftest import TASKS

FILES = sorted(TASKS.glob("[0-9]*.json"))
RECORDINGS = [
    (task, recording) for task in FILES for recording in sorted((TASKS / "trajectories").glob(f"{task.stem}.*.json"))
]


def needs(task: Path) -> None:
    oracles = json.dumps(json.loads(task.read_text(encoding="utf-8"))["oracles"])
    if '"node ' in oracles and shutil.which("node") is None:
        pytest.skip("node is not installed")


def test_there_are_enough_and_each_has_both_kinds() -> None:
    assert len(FILES) >= 12
    for task in FILES:
        kinds = {recording.name == f"{task.stem}.pass.json" for t, recording in RECORDINGS if t == task}
        assert kinds == {True, False}, task.name


@pytest.mark.parametrize(("task", "recording"), RECORDINGS, ids=lambda p: p.stem)
def test_the_verdict_is_what_the_recordings_name_says(task: Path, recording: Path) -> None:
    needs(task)
    result = Evaluator().evaluate_files(task, recording)
    wanted = recording.name == f"{task.stem}.pass.json"
    assert result.passed is wanted, [(r.oracle_type, r.message) for r in result.oracle_results if not r.passed]


@pytest.mark.parametrize("task", FILES, ids=lambda p: p.stem)
def test_no_task_passes_before_the_agent_starts(task: Path) -> None:
    needs(task)
    from agentbench_lsp.models.task import EvalTask

    assert not Evaluator().evaluate(EvalTask.from_file(task), Trajectory.from_dict({"steps": []})).passed


@pytest.mark.parametrize("agent", ["careful", "hasty"])
def test_one_recording_for_all_tasks_of_the_manifest(agent: str) -> None:
    recorded = Trajectory.from_file(TASKS / "trajectories" / f"{agent}_agent.json")
    names = json.loads((TASKS / "manifest.json").read_text(encoding="utf-8"))["task_files"]
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    results = Evaluator().evaluate_directory(TASKS, recorded, TASKS / "manifest.json")
    assert [r.error for r in results] == [None] * len(names)
    assert {r.passed for r in results} == {agent == "careful"}


@pytest.mark.parametrize("file", sorted(TASKS.rglob("*.json")), ids=lambda p: p.stem)
def test_the_editor_has_nothing_to_complain_about(file: Path) -> None:
    report = Checker(RuleSettings()).check_file(file)
    assert report.ours
    assert [f for f in report.found if f.finding.severity in (Severity.ERROR, Severity.WARNING)] == []

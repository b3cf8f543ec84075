"""Which trajectories belong to a task, in which order, and why."""

from __future__ import annotations

import json
from pathlib import Path

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.recordings import recordings
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.oracles.base import registered_specs
from agentbench_lsp.project.file_surroundings import FileSurroundings
from agentbench_lsp.project.summaries import Summaries
from tests.helpers.build import save, task_dict

STEPS = {"steps": []}


def found(root: Path) -> list[tuple[str, str]]:
    summaries = Summaries()
    path = root / "tasks" / "1_fix.json"
    document = Document(json.dumps(task_dict(id="fix")), path.as_posix())
    around = FileSurroundings(path, summaries.look, lambda *_: None)
    return [tuple(each) for each in recordings(TaskDocument(document, registered_specs(), around))]


def test_all_the_reasons_in_their_order(tmp_path: Path) -> None:
    save(tmp_path / "tasks" / "1_fix.json", task_dict(id="fix"))
    save(tmp_path / "tasks" / "a.json", STEPS | {"metadata": {"task": "fix"}})
    save(tmp_path / "tasks" / "trajectories" / "b.json", STEPS | {"metadata": {"task": "tasks/1_fix.json"}})
    save(tmp_path / "tasks" / "trajectories" / "1_fix.pass.json", STEPS)
    save(tmp_path / "tasks" / "1_fix.trajectory.json", STEPS)
    save(tmp_path / "tasks" / "1_fix.again.json", STEPS)
    save(tmp_path / "runs" / "all.json", STEPS)
    save(tmp_path / "runs" / "one.json", STEPS)
    save(tmp_path / "tasks" / "all.json", {"trajectory": "runs/all.json", "task_subset": "../benchmarks/s.json"})
    save(tmp_path / "benchmarks" / "s.json", {"task_files": ["0.json", "1_fix.json"]})
    save(
        tmp_path / "tasks" / "one.json",
        {"trajectory": "runs/one.json", "recorded_for": "1_fix.json", "task_files": ["0.json"]},
    )
    assert found(tmp_path) == [
        ("../runs/one.json", "recorded for the task, says one.json"),
        ("../runs/all.json", "the run of all.json, which lists the task"),
        ("1_fix.trajectory.json", "beside the task, named like the task"),
        ("1_fix.again.json", "beside the task, named like the task"),
        ("trajectories/1_fix.pass.json", "in trajectories, named like the task"),
        ("a.json", "its metadata names the task"),
        ("trajectories/b.json", "its metadata names the task"),
    ]


def test_what_does_not_belong_to_it(tmp_path: Path) -> None:
    save(tmp_path / "tasks" / "1_fix.json", task_dict(id="fix"))
    save(tmp_path / "tasks" / "trajectories" / "1_fixed.json", STEPS)
    save(tmp_path / "tasks" / "trajectories" / "11_fix.json", STEPS)
    save(tmp_path / "tasks" / "other.json", {"trajectory": "trajectories/11_fix.json", "task_files": ["11_fix.json"]})
    save(tmp_path / "tasks" / "gone.json", {"trajectory": "gone.json", "task_files": ["1_fix.json"]})
    save(tmp_path / "tasks" / "absolute.json", {"trajectory": "/etc/hosts", "task_files": ["1_fix.json"]})
    assert found(tmp_path) == []

"""Manifests: chains, cycles, and names that stay where they belong."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentbench_lsp.gate.manifest import ManifestError, selected_names
from tests.helpers.build import save


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks"
    folder.mkdir()
    return folder


def names(tasks: Path, manifest: object, where: str = "tasks/m.json") -> list[str]:
    return selected_names(save(tasks.parent / where, manifest), tasks)


def test_names_in_their_order_each_once(tasks: Path) -> None:
    assert names(tasks, {"task_files": ["b.json", "a.json", "./b.json", "sub\\c.json"]}) == [
        "b.json",
        "a.json",
        "sub/c.json",
    ]


def test_chains_are_relative_to_the_file_they_stand_in(tasks: Path) -> None:
    save(tasks.parent / "benchmarks" / "one.json", {"task_subset": "deep/two.json"})
    save(tasks.parent / "benchmarks" / "deep" / "two.json", {"task_files": ["a.json"]})
    assert names(tasks, {"task_subset": "../benchmarks/one.json", "task_files": ["ignored.json"]}) == ["a.json"]
    assert names(tasks, {"task_subset": "", "task_files": ["a.json"]}) == ["a.json"]


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ({"task_subset": "m.json"}, "already read"),
        ({"task_subset": "gone.json"}, "cannot be read"),
        ({"task_subset": "../../elsewhere.json"}, "outside"),
        ({"task_files": ["../x.json"]}, "leaves the folder"),
        ({"task_files": ["../../elsewhere.json"]}, "leaves the folder"),
        ({"task_files": ["/etc/passwd"]}, "leaves the folder"),
        ({"task_files": ["C:\\x.json"]}, "leaves the folder"),
        ({"task_files": []}, "nothing to evaluate"),
        ({"task_files": [7]}, "task_files[0]"),
        ({"task_files": "a.json"}, "task_files must be a list"),
        ({"task_subset": ["a"]}, "task_subset must be a text"),
        ({}, "needs task_files"),
        ([], "must be an object"),
    ],
)
def test_what_cannot_be_used(tasks: Path, manifest: object, reason: str) -> None:
    with pytest.raises(ManifestError, match=reason.replace("[", "\\[")) as caught:
        names(tasks, manifest)
    assert str(tasks) in str(caught.value)


@pytest.mark.parametrize("content", [b"{", b"\xff", b'{"task_files": ["a"], "task_files": ["b"]}', b"[" * 100_000])
def test_what_is_no_json(tasks: Path, content: bytes) -> None:
    file = tasks / "m.json"
    file.write_bytes(content)
    with pytest.raises(ManifestError):
        selected_names(file, tasks)


def test_links_do_not_lead_out(tasks: Path) -> None:
    outside = save(tasks.parent.parent / "outside.json", {})
    (tasks / "link.json").symlink_to(outside)
    with pytest.raises(ManifestError, match="leaves the folder"):
        names(tasks, {"task_files": ["link.json"]})

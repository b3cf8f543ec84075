"""Where a session's files are: roots, Windows, working folders that change, what is outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentbench_lsp.importers.core.importing import read_sessions
from agentbench_lsp.importers.core.root import choose_root
from agentbench_lsp.importers.core.source import Source
from tests.importers.test_importers import OUTPUT, call, claude, codex, left, session


def write(path: str, content: str = "x") -> tuple[str, dict[str, Any], Any, bool]:
    result = {"type": "create", "filePath": path, "content": content}
    return "Write", {"file_path": path, "content": content}, result, False


@pytest.mark.parametrize("path", ["C:\\repo\\sub\\a.txt", "c:/repo/sub/a.txt", "sub\\a.txt"])
def test_windows_paths_in_every_spelling(tmp_path: Path, path: str) -> None:
    records = [{**record, "cwd": "C:\\repo"} for record in claude(write(path))]
    found = session(tmp_path, records)
    assert left(found) == {"sub/a.txt": "x"}
    assert not found.fidelity.outside


def test_relative_paths_are_below_the_folder_of_their_time(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Add File: new.txt\n+x\n*** End Patch"
    turn = ("turn_context", {"cwd": "/repo/sub"})
    found = session(tmp_path, codex(turn, call("apply_patch", input=patch), OUTPUT))
    assert found.document["metadata"]["cwd"] == "/repo"
    assert left(found) == {"sub/new.txt": "x\n"}
    assert found.document["steps"][0]["cwd"] == "sub"


def test_edits_outside_are_steps_and_are_said(tmp_path: Path) -> None:
    found = session(tmp_path, claude(write("/repo/a.txt"), write("/home/me/config"), write("~/.claude/plan.md")))
    assert left(found) == {"a.txt": "x"}
    assert [note.step for note in found.fidelity.outside] == [1, 2]


def test_the_root_may_be_said(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(map(json.dumps, claude(write("/repo/a.txt")))), encoding="utf-8")
    (found,) = read_sessions(Source(path), root="/")
    assert left(found) == {"repo/a.txt": "x"}
    (found,) = read_sessions(Source(path), root="/other")
    assert "no edit is below the root /other" in found.warnings


@pytest.mark.parametrize(
    ("cwds", "edited", "root"),
    [
        (["/r"], ["/r/a"], "/r"),
        (["/r/web", "/r"], ["/r/web/a", "/r/api/b"], "/r"),
        (["/r", "/r/web"], ["/r/web/a"], "/r"),
        ([], ["/r/x/a", "/r/y/b"], "/r"),
        ([], ["C:\\r\\x\\a", "c:/r/y/b"], "C:/r"),
        ([], ["a"], None),
    ],
)
def test_the_root_that_is_chosen(cwds: list[str], edited: list[str], root: str | None) -> None:
    assert choose_root(cwds, edited) == root


def test_the_git_root_of_this_machine(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "web").mkdir()
    assert choose_root([str(tmp_path / "web")], []) == tmp_path.as_posix()


def test_a_notebook_is_as_the_recording_says(tmp_path: Path) -> None:
    result = {"notebook_path": "/repo/n.ipynb", "original_file": "{}", "updated_file": '{"cells": []}', "error": ""}
    args = {"notebook_path": "/repo/n.ipynb", "cell_id": "x", "new_source": "1"}
    found = session(tmp_path, claude(("NotebookEdit", args, result, False)))
    assert left(found) == {"n.ipynb": '{"cells": []}'}
    assert found.originals == {"n.ipynb": b"{}"}

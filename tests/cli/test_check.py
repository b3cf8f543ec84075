"""`agentbench check` and `agentbench schema`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agentbench_lsp.language.rule_settings import RuleSettings
from agentbench_lsp.project.checking import Checker
from agentbench_lsp.project.discovery import json_files
from tests.cli.conftest import Run
from tests.helpers.build import exists, save, task_dict, unmodified


def test_findings_with_line_and_column(agentbench: Run, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{\n  "oracles": [\n    { "type": "😀", "x": 1 },\n  ]\n}\n', encoding="utf-8")
    done = agentbench("check", "t.json")
    assert done.returncode == 1
    assert "t.json:3:15: error unknown-oracle-type unknown oracle type '😀'" in done.stdout
    assert "t.json:3:28: error json-syntax no comma may stand before the end; remove it" in done.stdout
    assert done.stderr == "1 file checked: 7 errors, 0 warnings\n"


def test_json(agentbench: Run, tmp_path: Path) -> None:
    save(tmp_path / "t.json", task_dict(unmodified("gone.txt")))
    report = json.loads(agentbench("check", "t.json", "--format", "json").stdout)
    assert not report["passed"]
    (found,) = report["diagnostics"]
    assert (found["path"], found["line"], found["severity"], found["code"]) == (
        "t.json",
        1,
        "error",
        "path-not-in-workspace",
    )
    assert found["end_column"] - found["column"] == len('"gone.txt"')


def test_warnings_and_information_do_not_fail(agentbench: Run, tmp_path: Path) -> None:
    save(tmp_path / "t.json", task_dict({**exists("new.txt", "x"), "extra": 1}))
    done = agentbench("check", "t.json")
    assert done.returncode == 0
    assert "warning unknown-param" in done.stdout
    assert "information path-not-in-workspace" in done.stdout


def test_folders_are_searched_and_other_json_is_passed_over(agentbench: Run, tmp_path: Path) -> None:
    save(tmp_path / "a" / "b" / "t.json", task_dict())
    save(tmp_path / "a" / "package.json", {"name": "x"})
    save(tmp_path / "a" / ".hidden" / "t.json", {"oracles": []})
    save(tmp_path / "a" / "node_modules" / "t.json", {"oracles": []})
    done = agentbench("check", "a")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("1 file checked")


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b'{"name": "x"}'])
def test_what_cannot_be_checked(agentbench: Run, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "x.json").write_bytes(content)
    done = agentbench("check", "x.json")
    assert done.returncode == 2
    assert "x.json:1:1: error unreadable" in done.stdout
    assert json.loads(agentbench("check", "x.json", "--format", "json").stdout)["unreadable"]


def test_a_folder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)  # root may read every folder
    assert list(json_files(tmp_path)) == [tmp_path]
    assert Checker(RuleSettings()).check_file(tmp_path).unreadable


def test_nothing_to_check(agentbench: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert agentbench("check", "empty").returncode == 2
    assert agentbench("check").returncode == 2


def test_nothing_is_run(agentbench: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.agentbench]\noracles = ["o.py"]\n')
    (tmp_path / "o.py").write_text('class A:\n    oracle_type = "mine"\nopen("ran", "w")\n')
    save(tmp_path / "tasks" / "t.json", task_dict({"type": "mine"}, {"type": "test_must_pass", "command": "touch ran"}))
    assert agentbench("check", "tasks").returncode == 0
    assert not (tmp_path / "ran").exists()


def test_check_imports_no_language_server(agentbench: Run, tmp_path: Path) -> None:
    import subprocess
    import sys

    save(tmp_path / "t.json", task_dict())
    code = (
        "import sys; sys.argv = ['agentbench', 'check', 't.json']\n"
        "from agentbench_lsp.cli.main import main\n"
        "try: main()\n"
        "except SystemExit as exit: assert not exit.code\n"
        "print([m for m in ('pygls', 'lsprotocol', 'rich', 'asyncio') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("kind", ["task", "trajectory", "manifest"])
def test_schema(agentbench: Run, kind: str) -> None:
    schema = json.loads(agentbench("schema", kind).stdout)
    assert schema["title"] == f"AgentBench {kind}"
    assert agentbench("schema", "nonsense").returncode == 2

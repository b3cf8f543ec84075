"""`agentbench check`: its forms of output, --fix, --select, --ignore, stdin, many files; `agentbench explain`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agentbench_lsp.project.rule_pages import documented_rules
from tests.cli.conftest import COMMAND, Run
from tests.helpers.build import exists, must_pass, save, task_dict, unmodified

LITERAL = task_dict(exists("a.txt", "x(1)"), must_pass("true"), unmodified("gone"), workspace={"a.txt": "x(1): 100%"})


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return save(tmp_path / "t.json", LITERAL)


def test_github(agentbench: Run, task: Path) -> None:
    done = agentbench("check", "t.json", "--format", "github")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert lines[0].startswith("::warning file=t.json,line=1,col=")
    assert "title=unescaped-literal::a.txt holds this text" in lines[0]
    assert lines[1].startswith("::error file=t.json,line=1,")
    assert "\n" not in lines[0]


def test_github_escapes_what_would_end_a_command(agentbench: Run, tmp_path: Path) -> None:
    save(tmp_path / "a,b%.json", task_dict({"type": "x%\n::error::y"}))
    (line,) = agentbench("check", "a,b%.json", "--format", "github").stdout.splitlines()
    assert "file=a%2Cb%25.json" in line


def test_sarif(agentbench: Run, task: Path) -> None:
    report = json.loads(agentbench("check", "t.json", "--format", "sarif").stdout)
    assert report["version"] == "2.1.0"
    (run,) = report["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert {r["id"] for r in rules} == set(documented_rules())
    assert all("## Why" in r["help"]["markdown"] for r in rules)
    result = next(r for r in run["results"] if r["ruleId"] == "unescaped-literal")
    assert rules[result["ruleIndex"]]["id"] == "unescaped-literal"
    assert result["level"] == "warning"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "t.json"
    assert place["region"]["endColumn"] - place["region"]["startColumn"] == len('"x(1)"')
    (tmp := task.parent / "broken.json").write_bytes(b"\xff")
    broken = json.loads(agentbench("check", tmp.name, "--format", "sarif").stdout)["runs"][0]["invocations"][0]
    assert (broken["executionSuccessful"], len(broken["toolExecutionNotifications"])) == (False, 1)


def test_junit(agentbench: Run, task: Path, tmp_path: Path) -> None:
    save(tmp_path / "good.json", task_dict(id="good"))
    done = agentbench("check", "t.json", "good.json", "gone.json", "--format", "junit")
    assert done.returncode == 2
    (suite,) = ElementTree.fromstring(done.stdout)
    assert {k: suite.get(k) for k in ("tests", "failures", "errors")} == {"tests": "3", "failures": "1", "errors": "1"}
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {"t.json": ["failure", "system-out"], "good.json": [], "gone.json": ["error"]}


def test_fix_writes_the_safe_fixes_and_nothing_else(agentbench: Run, tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    text = json.dumps({**LITERAL, "oracles": LITERAL["oracles"][:2]}, indent=2).replace("\n", "\r\n")
    file.write_bytes(b"\xef\xbb\xbf" + text.replace('"a.txt",\r\n', '"./a.txt",,\r\n').encode())
    file.chmod(0o640)
    done = agentbench("check", "--fix", "t.json")
    assert done.stderr.endswith("1 file fixed\n") or "1 file fixed" in done.stderr
    fixed = file.read_bytes()
    assert fixed.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in fixed
    assert file.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["t.json"]
    once = fixed
    agentbench("check", "--fix", "t.json")
    assert file.read_bytes() == once
    oracle = json.loads(fixed.decode("utf-8-sig").replace(",,", ","))["oracles"][0]
    assert oracle == {"type": "assertion_exists", "path": "a.txt", "pattern": "x\\(1\\)"}


def test_select_and_ignore(agentbench: Run, task: Path) -> None:
    def codes(*options: str) -> set[str]:
        report = json.loads(agentbench("check", "t.json", "--format", "json", *options).stdout)
        return {d["code"] for d in report["diagnostics"]}

    assert codes() == {"unescaped-literal", "path-not-in-workspace"}
    assert codes("--select", "unescaped-literal") == {"unescaped-literal"}
    assert codes("--ignore", "unescaped-literal,no-match-in-workspace") == {"path-not-in-workspace"}
    done = agentbench("check", "t.json", "--ignore", "unescaped-litral")
    assert (done.returncode, "did you mean 'unescaped-literal'" in done.stderr) == (2, True)


def test_settings_of_the_project(agentbench: Run, task: Path, tmp_path: Path) -> None:
    table = '[tool.agentbench.severity]\nunescaped-literal = "error"\npath-not-in-workspace = "off"\n'
    (tmp_path / "pyproject.toml").write_text(table, encoding="utf-8")
    done = agentbench("check", "t.json")
    assert [line.split()[1:3] for line in done.stdout.splitlines()] == [["error", "unescaped-literal"]]
    (tmp_path / "pyproject.toml").write_text('[tool.agentbench.severity]\nnonsense = "off"\n', encoding="utf-8")
    done = agentbench("check", "t.json")
    assert (done.returncode, "no rule has the code 'nonsense'" in done.stderr) == (2, True)


def stdin(text: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "check", "-", *arguments]
    return subprocess.run(command, input=text, cwd=cwd, capture_output=True, encoding="utf-8", check=False)


def test_stdin(tmp_path: Path) -> None:
    text = json.dumps({**LITERAL, "oracles": LITERAL["oracles"][:2]})
    done = stdin(text, "--stdin-filename", "tasks/t.json", cwd=tmp_path)
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "tasks/t.json")
    fixed = stdin(text, "--fix", cwd=tmp_path)
    assert json.loads(fixed.stdout)["oracles"][0]["pattern"] == "x\\(1\\)"
    assert stdin("{}", cwd=tmp_path).returncode == 2
    assert stdin(text, "--fix", cwd=tmp_path).stdout.count("{") == fixed.stdout.count("{")


def test_many_files_are_checked_in_parallel_with_the_same_report(agentbench: Run, tmp_path: Path) -> None:
    for i in range(120):
        save(tmp_path / "many" / f"t{i:03}.json", {**LITERAL, "id": str(i // 2)})
    many = agentbench("check", "many").stdout.splitlines()
    few = []
    for first in range(0, 120, 40):
        names = [f"many/t{i:03}.json" for i in range(first, first + 40)]
        few += agentbench("check", *names).stdout.splitlines()
    assert many == few
    assert sum("duplicate-task-id" in line for line in many) == 120


def test_explain(agentbench: Run) -> None:
    done = agentbench("explain", "unescaped-literal")
    headings = [line for line in done.stdout.splitlines() if line.startswith("## ")]
    assert headings == ["## What it checks", "## Why", "## Example", "## Fix"]
    assert len(agentbench("explain").stdout.splitlines()) == len(documented_rules())
    wrong = agentbench("explain", "unescaped-litral")
    assert (wrong.returncode, "did you mean 'unescaped-literal'" in wrong.stderr) == (2, True)


def test_fix_does_not_follow_links_that_it_finds(agentbench: Run, tmp_path: Path) -> None:
    outside = save(tmp_path / "outside" / "real.json", LITERAL)
    before = outside.read_bytes()
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "link.json").symlink_to(outside)
    done = agentbench("check", "--fix", "tasks")
    assert (done.returncode, "is a link" in done.stdout) == (2, True)
    assert outside.read_bytes() == before
    agentbench("check", "--fix", "tasks/link.json")  # it was asked for
    assert outside.read_bytes() != before
    assert (tmp_path / "tasks" / "link.json").is_symlink()


def test_what_documents_name_is_read_beside_them_only(agentbench: Run, tmp_path: Path) -> None:
    """An endless device, a pipe that nobody writes to, a file elsewhere."""
    os.mkfifo(tmp_path / "pipe.json")
    step = {"tool": "write_file", "args": {"path": "a.txt", "content": "x"}}
    for i, name in enumerate(["/dev/zero", "../../../../../../../../dev/zero", "pipe.json", str(tmp_path / "t.json")]):
        save(tmp_path / f"{i}.trajectory.json", {"metadata": {"task": name}, "steps": [step]})
        save(tmp_path / f"{i}.manifest.json", {"task_subset": name})
    done = agentbench("check", *(f"{i}.{kind}.json" for i in range(4) for kind in ("trajectory", "manifest")))
    assert done.returncode == 1
    assert done.stdout.count("manifest-") >= 3


def test_a_regex_that_python_warns_of_prints_nothing(agentbench: Run, tmp_path: Path) -> None:
    save(tmp_path / "t.json", task_dict(exists("a.txt", "[[a]lpha|x--y"), must_pass("true")))
    done = agentbench("check", "t.json")
    assert done.stderr == "1 file checked: 0 errors, 0 warnings\n"

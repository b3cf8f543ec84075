"""Custom oracles: the seed's example, unchanged, from a project's file and from an installed package."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from agentbench_lsp.dsl.catalogue import Catalogue, scan_oracles
from agentbench_lsp.dsl.project import ProjectError, find_project
from agentbench_lsp.dsl.validator import KNOWN_ORACLE_TYPES, validate_task_dict
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.models.task import RunResult
from agentbench_lsp.oracles.base import registered_specs
from tests.helpers.build import save, task_dict, unmodified

MAX_LINES = """
from __future__ import annotations
from pathlib import Path
from agentbench.models.task import Oracle, OracleResult
from agentbench.oracles.base import OracleCheck, register_oracle
from agentbench.runner.trajectory import Trajectory

@register_oracle
class MaxLinesOracle(OracleCheck):
    oracle_type = "max_lines"

    def check(self, oracle, workspace, trajectory, initial_workspace):
        path = oracle.params.get("path")
        limit = oracle.params.get("limit")
        if not path or limit is None:
            return OracleResult(self.oracle_type, False, "Missing required params: path and limit")
        lines = (workspace / path).read_text(encoding="utf-8").splitlines()
        if len(lines) > limit:
            return OracleResult(self.oracle_type, False, f"{path} has {len(lines)} lines, limit is {limit}")
        return OracleResult(self.oracle_type, True, f"{path} within {limit}-line limit")
"""
ODD = '''
import logging, os, sys, time
from agentbench.models.task import OracleResult
from agentbench.oracles.base import OracleCheck, register_oracle

@register_oracle
class Odd(OracleCheck):
    """Does odd things."""

    oracle_type = "odd"

    def check(self, oracle, workspace, trajectory, initial_workspace):
        how = oracle.params["how"]
        if how == "raise":
            raise RuntimeError("boom")
        if how == "hang":
            time.sleep(600)
        if how == "print":
            print("looking good")
        if how == "write":
            os.write(1, b'{"passed": true}\\n')
        if how == "exit":
            sys.exit(5)
        if how == "die":
            os._exit(7)
        if how == "nothing":
            return None
        if how == "log":
            logging.warning("just so you know")
            print("to stderr", file=sys.stderr)
        if how == "fail":
            print("why it fails", file=sys.stderr)
            return OracleResult("odd", False, "no")
        if how == "stdin":
            return OracleResult("odd", sys.stdin.read() == "", "")
        if how == "secret":
            return OracleResult("odd", "MY_TOKEN" not in os.environ, "")
        if how == "edits":
            new = (workspace / "a.txt").read_bytes() == b"new"
            return OracleResult("odd", trajectory.touched_file("a.txt") and new, "")
        return OracleResult("odd", True, "fine", {"seen": sorted(initial_workspace)})
'''


def project(folder: Path, oracles: str, **files: str) -> Path:
    (folder / "pyproject.toml").write_text(f"[tool.agentbench]\noracles = {oracles}\n")
    for name, content in files.items():
        (folder / f"{name}.py").write_text(content)
    return folder


def run(
    folder: Path, *oracles: dict[str, object], seconds: float = 20.0, steps: list[object] | None = None
) -> RunResult:
    task = save(folder / "tasks" / "t.json", task_dict(*oracles))
    recording = save(folder / "j.json", {"steps": steps or []})
    return Evaluator(custom_seconds=seconds).evaluate_files(task, recording)


def test_the_seeds_example_works_unchanged(tmp_path: Path) -> None:
    project(tmp_path, '["my_oracles.py"]', my_oracles=MAX_LINES)
    result = run(
        tmp_path,
        {"type": "max_lines", "path": "a.txt", "limit": 1},
        {"type": "max_lines", "path": "a.txt", "limit": 0},
        {"type": "max_lines"},
        {"type": "max_lines", "path": "gone", "limit": 1},
    )
    assert [r.passed for r in result.oracle_results] == [True, False, False, False]
    assert result.oracle_results[1].message == "a.txt has 1 lines, limit is 0"
    assert "FileNotFoundError" in result.oracle_results[3].message


def test_check_run_and_gate_know_it(tmp_path: Path) -> None:
    project(tmp_path, '["my_oracles.py"]', my_oracles=MAX_LINES)
    run(tmp_path, {"type": "max_lines", "path": "a.txt", "limit": 1})
    cli = [sys.executable, "-m", "agentbench_lsp"]
    for arguments in (
        ["check", "tasks"],
        ["gate", "--tasks", "tasks", "--trajectory", "j.json"],
        ["run", "--task", "tasks/t.json", "--trajectory", "j.json"],
    ):
        done = subprocess.run([*cli, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("how", "passed", "message"),
    [
        ("fine", True, "fine"),
        ("raise", False, "RuntimeError: boom"),
        ("print", False, "printed 'looking good'"),
        ("write", False, "printed"),
        ("exit", False, "SystemExit: 5"),
        ("die", False, "exit code 7"),
        ("nothing", False, "NoneType"),
        ("log", True, "fine"),
        ("fail", False, "no"),
        ("stdin", True, ""),
        ("secret", True, ""),
    ],
)
def test_whatever_it_does_is_its_own_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, passed: bool, message: str
) -> None:
    monkeypatch.setenv("MY_TOKEN", "x")
    project(tmp_path, '["odd.py"]', odd=ODD)
    result = run(tmp_path, {"type": "odd", "how": how}, {"type": "odd", "how": "fine"}, unmodified("a.txt"))
    first, second, third = result.oracle_results
    assert first.passed is passed
    assert message in first.message
    assert (second.passed, third.passed) == (True, True)
    assert second.details == {"seen": ["a.txt"]}
    if how == "fail":
        assert first.details["stderr"] == "why it fails"


def test_one_that_hangs_is_stopped_and_the_next_one_runs(tmp_path: Path) -> None:
    project(tmp_path, '["odd.py"]', odd=ODD)
    started = time.monotonic()
    result = run(tmp_path, {"type": "odd", "how": "hang"}, {"type": "odd", "how": "fine"}, seconds=0.5)
    assert [r.passed for r in result.oracle_results] == [False, True]
    assert "no answer within 0.5 s" in result.oracle_results[0].message
    assert time.monotonic() - started < 30


def test_a_class_may_say_how_long_it_takes(tmp_path: Path) -> None:
    project(
        tmp_path,
        '["odd.py"]',
        odd=ODD.replace('    oracle_type = "odd"\n', '    oracle_type = "odd"\n    time_limit = 0.4\n'),
    )
    result = run(tmp_path, {"type": "odd", "how": "hang"})
    assert "no answer within 0.4 s" in result.oracle_results[0].message


def test_it_sees_the_replayed_workspace_in_a_folder_of_its_own(tmp_path: Path) -> None:
    project(tmp_path, '["odd.py"]', odd=ODD)
    steps = [{"tool": "Write", "args": {"path": "a.txt", "content": "new"}}]
    assert run(tmp_path, {"type": "odd", "how": "edits"}, steps=steps).passed


@pytest.mark.parametrize(
    "source", ["import nonsense_module", "def (", "raise SystemExit", "print('hi')\nimport time\n"]
)
def test_a_file_that_cannot_be_loaded_is_its_oracles_failure(tmp_path: Path, source: str) -> None:
    broken = 'class X:\n    oracle_type = "odd"\n' + source if source != "def (" else source
    project(tmp_path, '["odd.py"]', odd=broken)
    task = task_dict({"type": "odd"}, unmodified("a.txt"))
    save(tmp_path / "tasks" / "t.json", task)
    if source == "def (":
        assert scan_oracles(tmp_path / "odd.py") == []
        return
    result = run(tmp_path, {"type": "odd"}, unmodified("a.txt"))
    assert [r.passed for r in result.oracle_results] == [False, True]


def test_declared_params_are_read_without_running_anything(tmp_path: Path) -> None:
    (tmp_path / "o.py").write_text(
        textwrap.dedent('''
        raise RuntimeError("must not be run")

        class A(OracleCheck):
            """Counts.

            More.
            """
            oracle_type: ClassVar[str] = "counted"
            params = (
                Param("path", kind="workspace_path", must_exist=True),
                Param("limit", "integer", False, 10, "Most."),
            )

        class B(OracleCheck):
            oracle_type = "computed"
            params = make_params()

        class C(OracleCheck):
            oracle_type = NAME
        ''')
    )
    counted, computed = scan_oracles(tmp_path / "o.py")
    assert counted.doc == "Counts.\n\nMore."
    assert [(p.name, p.kind, p.required, p.default) for p in counted.params or ()] == [
        ("path", "workspace_path", True, None),
        ("limit", "integer", False, 10),
    ]
    assert (computed.type, computed.params) == ("computed", None)


def test_declared_params_are_checked(tmp_path: Path) -> None:
    declared = MAX_LINES.replace("OracleCheck, register_oracle\n", "OracleCheck, Param, register_oracle\n").replace(
        '"max_lines"\n', '"max_lines"\n    params = (Param("path", "workspace_path"), Param("limit", "integer"))\n'
    )
    project(tmp_path, '["my_oracles.py"]', my_oracles=declared)
    from agentbench_lsp.dsl import ValidationError

    with pytest.raises(ValidationError, match=re.escape("oracles[0].limit")):
        run(tmp_path, {"type": "max_lines", "path": "a.txt"})
    assert run(tmp_path, {"type": "max_lines", "path": "a.txt", "limit": 3}).passed


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ('oracles = ["../evil.py"]', "outside the project"),
        ('oracles = ["/etc/evil.py"]', "outside the project"),
        ('oracles = ["gone.py"]', "does not exist"),
        ('oracles = "x.py"', "must be a list"),
        ("pass_env = [1]", "must be a list"),
        ("oracles = [", "TOML"),
    ],
)
def test_a_table_that_cannot_be_used(tmp_path: Path, table: str, reason: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.agentbench]\n{table}\n")
    with pytest.raises(ProjectError, match=reason):
        find_project(tmp_path)


def test_validation_knows_it(tmp_path: Path) -> None:
    from agentbench_lsp.models.task import EvalTask

    project(tmp_path, '["my_oracles.py"]', my_oracles=MAX_LINES)
    file = save(tmp_path / "tasks" / "t.json", task_dict({"type": "max_lines"}))
    assert EvalTask.from_file(file).oracles[0].type == "max_lines"


def test_the_nearest_table_counts(tmp_path: Path) -> None:
    project(tmp_path, '["my_oracles.py"]', my_oracles=MAX_LINES)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert find_project(tmp_path / "sub").root == tmp_path
    assert list(Catalogue(find_project(tmp_path))) == [*registered_specs(), "max_lines"]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with an entry point, on the path as if it were installed."""
    site = tmp_path / "site"
    (site / "lines-1.0.dist-info").mkdir(parents=True)
    (site / "lines-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: lines\nVersion: 1.0\n")
    (site / "lines-1.0.dist-info" / "entry_points.txt").write_text(
        "[agentbench.oracles]\nmax_lines = lines_oracle:MaxLinesOracle\n"
    )
    (site / "lines_oracle.py").write_text(MAX_LINES)
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.syspath_prepend(str(site))
    return site


def test_an_entry_point_is_known_to_everything(installed: Path, tmp_path: Path) -> None:
    result = run(
        tmp_path, {"type": "max_lines", "path": "a.txt", "limit": 1}, {"type": "max_lines", "path": "a.txt", "limit": 0}
    )
    assert [r.passed for r in result.oracle_results] == [True, False]
    validate_task_dict(task_dict({"type": "max_lines"}))
    assert "max_lines" in KNOWN_ORACLE_TYPES
    done = subprocess.run(
        [sys.executable, "-m", "agentbench_lsp", "check", str(tmp_path / "tasks")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout

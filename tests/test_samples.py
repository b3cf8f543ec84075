"""The recorded tasks of AgentBench OS, through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "agentbench_lsp"]


def run(*arguments: object) -> tuple[int, dict[str, Any]]:
    done = subprocess.run([*COMMAND, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def gate(samples: Path, trajectory: str) -> tuple[int, dict[str, Any]]:
    tasks = samples / "tasks"
    recording = samples / "tests" / "fixtures" / f"trajectory_{trajectory}.json"
    return run("gate", "--tasks", tasks, "--manifest", tasks / "manifest_pass.json", "--trajectory", recording)


def test_the_passing_trajectory_passes_six_of_six(samples: Path) -> None:
    code, report = gate(samples, "pass")
    assert (code, len(report["tasks"]), [t["passed"] for t in report["tasks"]]) == (0, 6, [True] * 6)


def test_the_regression_fails_task_01_in_the_two_oracles_it_should(samples: Path) -> None:
    task = samples / "tasks" / "01_fix_failing_test_no_delete.json"
    code, report = run(
        "run", "--task", task, "--trajectory", samples / "tests" / "fixtures" / "trajectory_regression.json"
    )
    assert code == 1
    failed = {o["type"]: o["passed"] for o in report["tasks"][0]["oracles"]}
    assert failed == {"assertion_exists": False, "file_not_modified": False, "test_must_pass": True}


def test_the_network_trajectory_fails_where_the_network_is_forbidden(samples: Path) -> None:
    code, report = gate(samples, "network")
    assert code == 1
    failed = [(t["task_id"], o["type"]) for t in report["tasks"] for o in t["oracles"] if not o["passed"]]
    assert ("offline-fix-no-network", "no_network") in failed


def test_none_of_them_gives_a_false_warning(samples: Path) -> None:
    command = [*COMMAND, "check", str(samples / "tasks"), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    found = json.loads(done.stdout)["diagnostics"]
    assert [d for d in found if d["severity"] in ("error", "warning")] == []
    # What they do give is true: tests that nothing protects, lines that the agent is to write.
    codes = {d["code"] for d in found}
    assert codes <= {"unprotected-test", "no-match-in-workspace", "file-only-task", "unknown-field"}

"""The main job in a real editor: headless Neovim 0.11, on our own task and on a recorded one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TASKS
from tests.helpers.build import bash, exists, must_pass, save, task_dict, write
from tests.helpers.raw_client import QUIET

NVIM = shutil.which("nvim", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
pytestmark = pytest.mark.skipif(NVIM is None, reason="Neovim is not installed")


def neovim(script: str, **env: object) -> dict[str, Any]:
    """What a script beside this file prints, run in Neovim with our server."""
    server = json.dumps([sys.executable, "-m", "agentbench_lsp", "lsp"])
    command = [str(NVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(Path(__file__).with_name(script))]
    variables = {**os.environ, "SERVER": server, **{name: str(value) for name, value in env.items()}}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def drive(task: Path, failing: Path, passing: Path) -> dict[str, Any]:
    return neovim(
        "neovim_drive.lua",
        QUIET=json.dumps(QUIET),
        TASK=task,
        TRAJECTORY_FAIL=failing,
        TRAJECTORY_PASS=passing,
        ROOT=task.parent,
    )


def check(found: dict[str, Any]) -> None:
    assert found["version"].startswith("0.11")
    assert [(d["code"], d["text"]) for d in found["typed"]] == [("unknown-oracle-type", '"file_not_modifed"')]
    assert found["completion"] == ["path"]
    assert found["failing"] == {"passed": False}
    assert found["passing"] == {"passed": True}
    assert "cannot be read" in found["bad"]["error"]


def test_the_main_job_on_our_own_task() -> None:
    name = "02_dedupe_keeps_order"
    recordings = TASKS / "trajectories"
    found = drive(
        TASKS / f"{name}.json", recordings / f"{name}.uniq_is_not_enough.json", recordings / f"{name}.pass.json"
    )
    check(found)
    (failure,) = found["failures"]
    assert (failure["code"], failure["source"], failure["text"]) == ("oracle-failed", "agentbench", '"sh tests/run.sh"')
    assert failure["related"][0]["message"] == "step 0 of the agent"


def test_the_main_job_on_a_recorded_task(samples: Path) -> None:
    recordings = samples / "tests" / "fixtures"
    task = samples / "tasks" / "01_fix_failing_test_no_delete.json"
    found = drive(task, recordings / "trajectory_regression.json", recordings / "trajectory_pass.json")
    check(found)
    assert [d["text"] for d in found["failures"]] == [r'"assert add\\(1, 2\\) == 3"', '"tests/test_calc.py"']


def test_reading_moving_and_mending(tmp_path: Path) -> None:
    task = task_dict(
        must_pass("python tests/t.py"),
        exists("tests/t.py", "assert f(1) == 2"),
        workspace={"tests/t.py": "assert f(1) == 2\n"},
    )
    file = save(tmp_path / "tasks" / "t.json", task)
    out = neovim("neovim_features.lua", TASK=file, ROOT=tmp_path)
    assert "**tests/t.py** · 1 line" in out["hover"]
    assert (out["definition"], out["fixed"], out["renamed"], out["formatted"]) == ('"tests/t.py": ', True, True, "t")
    assert out["lines"] > 10
    assert out["symbols"] == ["id", "name", "description", "prompt", "workspace", "oracles"]
    assert out["hints"] == ["timeout: 60 s", "1 match"]
    assert out["tokens"] > 0


def test_which_step_broke_what(tmp_path: Path) -> None:
    file = save(tmp_path / "t.json", task_dict(exists("a.txt", "alpha"), must_pass("true")))
    save(tmp_path / "trajectories" / "t.good.json", {"steps": []})
    save(tmp_path / "trajectories" / "t.hasty.json", {"steps": [bash("ls"), write("a.txt", "beta\n")]})
    out = neovim("neovim_evaluation.lua", TASK=file, ROOT=tmp_path, QUIET=json.dumps(QUIET))
    assert out["asked"] == [
        "t.good.json (in trajectories, named like the task)",
        "t.hasty.json (in trajectories, named like the task)",
    ]
    assert out["passed"] is False
    assert out["message"].splitlines() == [
        "pattern `alpha` is not found in a.txt",
        "it passed until step 1 (write_file)",
        "was:    alpha",
        "became: beta",
    ]
    assert out["related"] == "step 1 of the agent"
    assert "Evaluate only this oracle again" in out["actions"]
    assert (out["opened"], out["at_step"]) == ("t.hasty.json", True)
    assert out["step"].startswith("oracle 0 (assertion_exists) of t.json fails: ")
    assert out["baseline"] == "fails"
    # How much is seen of it depends on how soon Neovim says that it shows progress.
    assert out["progress"][0] == "begin"
    assert set(out["progress"]) <= {
        "begin",
        "end",
        "oracle 0: assertion_exists",
        "oracle 1: test_must_pass",
        "oracle 1: test_must_pass on the untouched workspace",
    }

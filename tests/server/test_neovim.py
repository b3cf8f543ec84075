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
from tests.helpers.build import exists, must_pass, save, task_dict
from tests.helpers.raw_client import QUIET

DRIVE = Path(__file__).parent / "neovim_drive.lua"
NVIM = shutil.which("nvim", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
pytestmark = pytest.mark.skipif(NVIM is None, reason="Neovim is not installed")


def drive(task: Path, failing: Path, passing: Path) -> dict[str, Any]:
    env = {
        **os.environ,
        "SERVER": json.dumps([sys.executable, "-m", "agentbench_lsp", "lsp"]),
        "QUIET": json.dumps(QUIET),
        "TASK": str(task),
        "TRAJECTORY_FAIL": str(failing),
        "TRAJECTORY_PASS": str(passing),
        "ROOT": str(task.parent),
    }
    command = [str(NVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(DRIVE)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


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
    env = {
        **os.environ,
        "SERVER": json.dumps([sys.executable, "-m", "agentbench_lsp", "lsp"]),
        "TASK": str(file),
        "ROOT": str(tmp_path),
    }
    script = Path(__file__).with_name("neovim_features.lua")
    command = [str(NVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(script)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    out = json.loads(done.stdout.splitlines()[-1])
    assert "**tests/t.py** · 1 line" in out["hover"]
    assert (out["definition"], out["fixed"], out["renamed"], out["formatted"]) == ('"tests/t.py": ', True, True, "t")
    assert out["lines"] > 10
    assert out["symbols"] == ["id", "name", "description", "prompt", "workspace", "oracles"]
    assert out["hints"] == ["timeout: 60 s", "1 match"]
    assert out["tokens"] > 0

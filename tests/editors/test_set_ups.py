"""The set-ups of docs/editors.md, taken from that page: a fault is shown, and a task is evaluated."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.helpers.build import exists, save, task_dict, write

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent
HERE = Path(__file__).parent


def block(name: str) -> str:
    """A block of code of the page, by the word after its language."""
    found = re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


def neovim(version: str) -> str | None:
    """The newest or the oldest Neovim there is, if its version begins so."""
    for path in (shutil.which("nvim", path=str(BIN)), "/usr/bin/nvim"):
        if path and Path(path).exists():
            told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            if told.startswith(f"NVIM v{version}"):
                return path
    return None


EMACS = shutil.which("emacs")


def has_eglot() -> bool:
    if EMACS is None:
        return False
    probe = [EMACS, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A task in a folder whose name needs escaping, with an unknown param and an oracle that fails."""
    folder = tmp_path / "a b é"
    save(folder / "tasks" / "t.json", task_dict(exists("a.txt", "alpha"), {"type": "no_network", "extra": 1}))
    save(folder / "run.json", {"steps": [write("a.txt", "beta\n")], "metadata": {}})
    return folder


def run(command: list[str], folder: Path, home: Path) -> list[str]:
    """The codes that an editor shows: after opening, after evaluating."""
    variables = {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "TASK": str(folder / "tasks" / "t.json"),
        "TRAJECTORY": str(folder / "run.json"),
    }
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith(("opened", "evaluated"))]


WANTED = ["opened: unknown-param", "evaluated: oracle-failed unknown-param"]


@pytest.mark.parametrize("version", ["0.11", "0.7"])
def test_neovim(version: str, project: Path, tmp_path: Path) -> None:
    nvim = neovim(version)
    if nvim is None:
        pytest.skip(f"Neovim {version} is not installed")
    (tmp_path / "init.lua").write_text(block(f"neovim-{version}"), encoding="utf-8")
    words = ["--headless", "-u", str(tmp_path / "init.lua"), "-i", "NONE", "-n", "-S", str(HERE / "neovim.lua")]
    assert run([nvim, *words], project, tmp_path) == WANTED


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not installed")
def test_emacs(project: Path, tmp_path: Path) -> None:
    (tmp_path / "init.el").write_text(block("emacs-eglot"), encoding="utf-8")
    words = ["--batch", "-l", str(tmp_path / "init.el"), "-l", str(HERE / "emacs.el")]
    assert run([str(EMACS), *words], project, tmp_path) == WANTED

"""One command for everything a developer does; sets up what it needs in `.venv`.

python3 dev.py demo    evaluate the tasks of this repository against two recorded agents
python3 dev.py test    lint, types, import contracts, all tests
python3 dev.py setup   only the set-up
python3 dev.py docs    write docs/rules, docs/oracles.md and the pictures anew
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")


def run(*command: str | Path, accept: tuple[int, ...] = (0,)) -> None:
    """Run a command of the venv; end with its exit code where that is not accepted."""
    program, *arguments = map(str, command)
    path = shutil.which(program, path=str(BIN)) or program
    code = subprocess.run([path, *arguments], cwd=ROOT, check=False).returncode
    if code not in accept:
        sys.exit(code)


def setup(*what: str) -> None:
    """Make `.venv` and install into it, quietly; what is installed already costs a second."""
    if sys.version_info < (3, 11):  # noqa: UP036 - nobody has checked yet
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    if not BIN.is_dir():
        print("setting up .venv", flush=True)
        venv.create(VENV, with_pip=True)
        run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "pip>=25.1")
    run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)


def demo() -> None:
    """The main job on real tasks."""
    setup("-e", ".[demo]")
    manifest = "manifest.json" if shutil.which("node") else "manifest_quick.json"
    if manifest != "manifest.json":
        print("(node is not installed, so the JavaScript and shell tasks are left out)")
    print("\n$ agentbench check tasks", flush=True)
    run("agentbench", "check", "tasks")
    for agent, codes in (("careful", (0,)), ("hasty", (1,))):
        recording = f"tasks/trajectories/{agent}_agent.json"
        command = [
            "agentbench",
            "gate",
            "--tasks",
            "tasks",
            "--manifest",
            f"tasks/{manifest}",
            "--trajectory",
            recording,
        ]
        print(f"\n$ {' '.join(command)}", flush=True)
        run(*command, accept=codes)
    print("\nThe careful agent solves every task; the hasty one takes a short cut in each, and every one is noticed.")


def test(*arguments: str) -> None:
    """Everything CI asks for; the last line is pytest's."""
    setup("-e", ".[demo]", "--group", "dev")
    run("ruff", "check", "--quiet", ".")
    run("ruff", "format", "--quiet", "--check", ".")
    run("mypy", "--no-error-summary")
    run("lint-imports")
    run("python", "-m", "pytest", *arguments)


def docs() -> None:
    """Write what is generated."""
    setup("-e", ".[demo]", "--group", "dev", "--group", "docs")
    run("python", "docs/generate.py")
    run("python", "docs/record.py")


COMMANDS = {"demo": demo, "test": test, "docs": docs, "setup": lambda: setup("-e", ".[demo]", "--group", "dev")}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](*sys.argv[2:])

"""One command for everything a developer does; sets up what it needs in `.venv`.

python3 dev.py demo    evaluate the tasks of this repository against two recorded agents
python3 dev.py test    lint, types, import contracts, all tests
python3 dev.py vsix    the VS Code extension, as vscode-extension/agentbench-lsp.vsix
python3 dev.py extension   only the tests of the extension
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
EXTENSION = ROOT / "vscode-extension"
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
    if what:
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


def npm(*command: str) -> None:
    """Run npm for the extension; end with its exit code if it fails."""
    program = shutil.which("npm")
    if program is None:
        sys.exit("npm is needed for the extension: install Node.js 20 or newer")
    python = BIN / "python"
    environment = {**os.environ, "AGENTBENCH_PYTHON": str(python)}
    code = subprocess.run([program, *command], cwd=EXTENSION, env=environment, check=False).returncode
    if code:
        sys.exit(code)


def vsix() -> None:
    """The extension with the server on board."""
    setup()
    npm("ci", "--silent")
    npm("run", "--silent", "package")


def extension() -> None:
    """The tests of the extension: in node, and in a real VS Code, on the .vsix."""
    if shutil.which("npm") is None:
        print("(Node.js is not installed, so the extension is left out)", flush=True)
        return
    vsix()
    npm("run", "--silent", "test:unit")
    if not Path("/usr/bin/chromium").exists() and "CHROMIUM" not in os.environ:
        print("(Chromium is not installed, so the tests in a real VS Code are left out)", flush=True)
        return
    npm("run", "--silent", "test:editor")


def test(*arguments: str) -> None:
    """Everything CI asks for; the last line is pytest's."""
    setup("-e", ".[demo]", "--group", "dev")
    run("ruff", "check", "--quiet", ".")
    run("ruff", "format", "--quiet", "--check", ".")
    run("mypy", "--no-error-summary")
    run("lint-imports")
    if not arguments:
        extension()
    run("python", "-m", "pytest", *arguments)


def docs() -> None:
    """Write what is generated."""
    setup("-e", ".[demo]", "--group", "dev", "--group", "docs")
    run("python", "docs/generate.py")
    run("python", "docs/record.py")


COMMANDS = {
    "demo": demo,
    "test": test,
    "docs": docs,
    "vsix": vsix,
    "extension": extension,
    "setup": lambda: setup("-e", ".[demo]", "--group", "dev"),
}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](*sys.argv[2:])

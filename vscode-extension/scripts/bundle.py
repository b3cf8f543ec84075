"""Fills server/libs: the server of this repository, and its libraries as requirements.txt pins them.

All are pure Python but `rpds-py`, whose wheels for the common platforms are laid side by side: Python picks the file
that fits by its name. Only macOS has the same name for both processors; there `rpds` looks into a folder of its own.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXTENSION = HERE.parent
ROOT = EXTENSION.parent
LIBS = EXTENSION / "server" / "libs"
LOCK = HERE / "requirements.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = {
    "manylinux_2_17_x86_64": "",
    "manylinux_2_17_aarch64": "",
    "musllinux_1_2_x86_64": "",
    "macosx_10_12_x86_64": "darwin-x86_64",
    "macosx_11_0_arm64": "darwin-arm64",
    "win_amd64": "",
    "win_arm64": "",
}
_ON_MACOS = """import os as _os
import sys as _sys

if _sys.platform == "darwin":  # both processors have the same file name there
    __path__.insert(0, _os.path.join(__path__[0], "darwin-" + _os.uname().machine))
"""
# Only imports use it, and say so where it is missing; the compiled files that it needs are not worth their size.
NOT_BUNDLED = ("detect-secrets", "pyyaml", "requests", "urllib3", "idna", "certifi", "charset-normalizer")
_HASHED = ["--require-hashes", "--no-deps", "--only-binary=:all:"]
_PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def main() -> None:
    """Bundle; with `--lock` pin instead."""
    if "--lock" in sys.argv:
        lock()
        return
    check_versions()
    shutil.rmtree(LIBS, ignore_errors=True)
    LIBS.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        pure, compiled = split_lock(Path(folder))
        pip("install", "--no-compile", *_HASHED, "--target", str(LIBS), "-r", str(pure))
        for python in PYTHONS:
            for platform, place in PLATFORMS.items():
                add_rpds(compiled, python, platform, place, Path(folder) / f"{python}-{platform}")
    package = LIBS / "rpds" / "__init__.py"
    package.write_text(_ON_MACOS + "\n" + package.read_text(encoding="utf-8"), encoding="utf-8")
    shutil.rmtree(LIBS / "bin", ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "agentbench_lsp", LIBS / "agentbench_lsp", ignore=ignored)
    for name in ("rules", "oracles.md"):  # what diagnostics link to
        source = ROOT / "docs" / name
        target = LIBS / "docs" / name
        target.parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    shutil.copy(ROOT / "LICENSE", EXTENSION / "LICENSE")
    files = [path for path in LIBS.rglob("*") if path.is_file()]
    natives = [path for path in files if path.suffix in (".so", ".pyd")]
    size = sum(path.stat().st_size for path in files)
    print(f"server/libs: {len(files)} files, {size / 1e6:.1f} MB, {len(natives)} of them compiled")


def check_versions() -> None:
    """The extension and the server it carries are released together."""
    own = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))["version"]
    source = (ROOT / "agentbench_lsp" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', source)
    server = found[1] if found else None
    if own != server:
        sys.exit(f"package.json has version {own}, agentbench_lsp has {server}: make them one")


def pip(*words: str) -> None:
    """Run pip; end with its exit code if it fails."""
    done = subprocess.run([*_PIP, *words], check=False)
    if done.returncode:
        sys.exit(done.returncode)


def split_lock(folder: Path) -> tuple[Path, Path]:
    """The lock file without `rpds-py`, and `rpds-py` alone."""
    blocks = re.split(r"(?m)^(?=[\w.-]+==)", LOCK.read_text(encoding="utf-8"))
    pure, compiled = folder / "pure.txt", folder / "compiled.txt"
    pure.write_text("".join(b for b in blocks if not b.startswith("rpds-py==")), encoding="utf-8")
    compiled.write_text("".join(b for b in blocks if b.startswith("rpds-py==")), encoding="utf-8")
    return pure, compiled


def add_rpds(compiled: Path, python: str, platform: str, place: str, folder: Path) -> None:
    """Lay the compiled file of one wheel beside the others."""
    options = ["--platform", platform, "--python-version", python, "--implementation", "cp"]
    pip("download", *_HASHED, *options, "--dest", str(folder), "-r", str(compiled))
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith("rpds/"):
                inside = name.removeprefix("rpds/")
                is_compiled = inside.endswith((".so", ".pyd"))
                target = LIBS / "rpds" / (place if is_compiled else "") / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))


def lock() -> None:
    """Write requirements.txt: versions and the hashes of all their files. Needs `uv` (pip install uv)."""
    words = ["uv", "pip", "compile", "--universal", "--python-version", "3.11", "--generate-hashes", "--no-header"]
    words += ["--no-emit-index-url", "--no-annotate", "--upgrade", "-o", "requirements.txt"]
    words += [word for name in NOT_BUNDLED for word in ("--no-emit-package", name)]
    words += [str(ROOT / "pyproject.toml"), "requirements.in"]
    subprocess.run(words, cwd=HERE, check=True)


if __name__ == "__main__":
    main()

"""Running a command where it reaches no network and can write nothing but its workspace, with bubblewrap."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

SandboxMode = Literal["off", "auto"]
_PROBE_SECONDS = 10.0
_PRIVATE = ("/tmp", "/var/tmp")  # noqa: S108 - folders that are empty and its own inside


class Sandbox(NamedTuple):
    """`program` is bubblewrap's path; None where commands run without it, for the `reason`."""

    program: str | None
    reason: str = ""

    @property
    def told(self) -> str:
        """What a result says of it."""
        if self.program is None:
            return f"none: {self.reason}"
        return "bwrap: no network, nothing writable but the workspace"

    def argv(self, command: str, folder: Path) -> list[str] | None:
        """The words that run a shell command in the sandbox; None where there is none."""
        if self.program is None:
            return None
        words = [self.program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        for private in _PRIVATE:
            words += ["--tmpfs", private]
        for needed in _hidden_prefixes():
            words += ["--ro-bind", needed, needed]
        words += ["--bind", str(folder), str(folder), "--chdir", str(folder)]
        return [*words, "--unshare-net", "--unshare-pid", "--die-with-parent", "--", "/bin/sh", "-c", command]


def _hidden_prefixes() -> list[str]:
    """Where the interpreter is installed, if the private folders would hide it."""
    prefixes = dict.fromkeys(os.path.realpath(p) for p in (sys.prefix, sys.base_prefix))
    return [p for p in prefixes if any(Path(p).is_relative_to(private) for private in _PRIVATE)]


@cache
def available() -> Sandbox:
    """The sandbox of this machine. Tried once: where user namespaces are forbidden, bubblewrap is there in vain."""
    import shutil
    import subprocess

    program = shutil.which("bwrap")
    if program is None:
        return Sandbox(None, "bwrap is not installed")
    try:
        done = subprocess.run(  # noqa: S603
            Sandbox(program).argv("true", Path("/tmp")) or [],  # noqa: S108
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        return Sandbox(None, f"bwrap cannot be started ({type(exc).__name__})")
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return Sandbox(None, f"bwrap does not work here ({lines[0] if lines else done.returncode})")
    return Sandbox(program)

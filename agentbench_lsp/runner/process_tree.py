"""Ending processes with all they have started, those too that have left their group."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_SECONDS, _PAUSE_SECONDS = 3.0, 0.002

if sys.platform == "win32":  # pragma: no cover - written to the documentation, not run here

    def new_group() -> dict[str, Any]:
        """Arguments of `Popen` that give a child a group of its own."""
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}

    def kill_group(pid: int) -> None:
        """Kill a process, its group and what they started, as far as the system knows it."""
        subprocess.run(  # noqa: S603
            ["taskkill", "/T", "/F", "/PID", str(pid)],  # noqa: S607
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )

    def kill_marked(variable: str, mark: str) -> None:
        """There is no looking into other processes' environment here."""

else:

    def new_group() -> dict[str, Any]:
        """Arguments of `Popen` that give a child a group of its own."""
        return {"start_new_session": True}

    def kill_group(pid: int) -> None:
        """Kill the group of a process that was started with `new_group`."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)

    def kill_marked(variable: str, mark: str) -> None:
        """Kill every process that has `variable=mark` in its environment, and wait until they are gone.

        A process that made a session of its own has left the group, but not the marked environment. The kernel ends
        what is killed soon, but not at once; and what is just calling exec shows no environment.
        """
        deadline, clear = time.monotonic() + _SECONDS, 0
        while clear < 2 and time.monotonic() < deadline:
            pids = marked(variable, mark)
            clear = 0 if pids else clear + 1
            for pid in pids:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if clear < 2:
                time.sleep(_PAUSE_SECONDS)


def marked(variable: str, mark: str) -> list[int]:
    """Processes that have `variable=mark` in their environment; none where there is no /proc."""
    needle = f"{variable}={mark}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if needle in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found

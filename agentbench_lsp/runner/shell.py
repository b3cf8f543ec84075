"""One command: time limit, capped output, no stdin, and no process left behind."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from agentbench_lsp.runner.environment import clean_environment
from agentbench_lsp.runner.process_tree import kill_group, kill_marked, new_group
from agentbench_lsp.runner.sandbox import Sandbox
from agentbench_lsp.runner.signals import deferred_signals

OUTPUT_CAP = 1 << 20  # bytes kept of each stream: the first and the last half
_MARK = "AGENTBENCH_PROCESS_MARK"  # in the environment of every process of a command, so that none can hide
_DRAIN_SECONDS = 5.0
_SLICE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class CommandOptions:
    """How the commands of a task are run. `pass_env`: variables they get although they look like secrets."""

    pass_env: tuple[str, ...] = ()
    sandbox: Sandbox | None = None  # None: nobody asked for one


@dataclass(frozen=True, slots=True)
class CommandResult:
    """`exit_code` is None after a timeout and minus the signal's number after a kill by signal."""

    exit_code: int | None
    timed_out: bool
    stdout: str
    stderr: str
    truncated: bool
    seconds: float


class _Capped:
    """Keeps the head and the tail of a stream; the reader never stops, so that the writer never blocks."""

    def __init__(self, stream: IO[bytes], cap: int) -> None:
        self._stream, self._half = stream, cap // 2
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0
        self._lock = threading.Lock()
        self.thread = threading.Thread(target=self._drain, daemon=True)
        self.thread.start()

    def _drain(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._stream.fileno(), 1 << 16):
                with self._lock:
                    self._keep(chunk)

    def _keep(self, chunk: bytes) -> None:
        room = self._half - len(self._head)
        self._head += chunk[:room] if room > 0 else b""
        self._tail += chunk[max(room, 0) :]
        if (excess := len(self._tail) - self._half) > 0:
            del self._tail[:excess]
            self._dropped += excess

    @property
    def truncated(self) -> bool:
        return self._dropped > 0

    def text(self) -> str:
        with self._lock:
            gap = f"\n… {self._dropped} bytes left out …\n".encode() if self._dropped else b""
            return bytes(self._head + gap + self._tail).decode("utf-8", "replace")


class _Running:
    """A process with threads that read its streams and wait for its end."""

    def __init__(self, command: str | list[str], cwd: Path, env: Mapping[str, str], cap: int) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - to run the task's command is what the user asked for
            command,
            shell=isinstance(command, str),
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **new_group(),
        )
        assert self.process.stdout is not None  # noqa: S101 - for the type checker
        assert self.process.stderr is not None  # noqa: S101
        self.out, self.err = _Capped(self.process.stdout, cap), _Capped(self.process.stderr, cap)
        self.ended = threading.Event()
        self._waiter = threading.Thread(target=self._wait, daemon=True)
        self._waiter.start()

    def _wait(self) -> None:
        self.process.wait()
        self.ended.set()

    def ends_within(self, seconds: float) -> bool:
        """Wait for the end, at most so long.

        In slices: a signal that arrives just before a wait begins does not interrupt it, and its handler would run
        only when the wait is over.
        """
        deadline = time.monotonic() + seconds
        while (rest := deadline - time.monotonic()) > 0:
            if self.ended.wait(min(rest, _SLICE_SECONDS)):
                return True
        return False

    def close(self) -> None:
        """Once the process tree is dead: let the threads end, and close the streams."""
        for thread in (self._waiter, self.out.thread, self.err.thread):
            thread.join(_DRAIN_SECONDS)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


def run_command(
    command: str, cwd: Path, timeout: float, options: CommandOptions | None = None, cap: int = OUTPUT_CAP
) -> CommandResult:
    """Run a shell command in `cwd` and end its whole process tree, at the timeout (seconds) or at its own end.

    Raises OSError where it cannot be started and ValueError where it holds a NUL character.
    """
    options = options or CommandOptions()
    words = options.sandbox.argv(command, cwd) if options.sandbox else None
    env = clean_environment(options.pass_env)
    mark = os.urandom(16).hex()
    started = time.monotonic()
    running: _Running | None = None
    try:
        with deferred_signals():
            running = _Running(words or command, cwd, {**env, _MARK: mark}, cap)
        timed_out = not running.ends_within(timeout)
        seconds = time.monotonic() - started
    finally:
        if running is not None:
            kill_group(running.process.pid)
            kill_marked(_MARK, mark)
            running.close()
    out, err, process = running.out, running.err, running.process
    return CommandResult(
        exit_code=None if timed_out else process.returncode,
        timed_out=timed_out,
        stdout=out.text(),
        stderr=err.text(),
        truncated=out.truncated or err.truncated,
        seconds=seconds,
    )

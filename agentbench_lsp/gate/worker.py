"""The child process that does for the editor whatever runs what a user wrote. JSON lines in, JSON lines out.

First of all it says `{"event": "ready", "python"}`. A request is `{"id", "do", …}`, see `gate.jobs`; one at a time. Its
events carry its id; the last is `{"event": "done", …}` or `{"event": "error", "message", "document"}`. When stdin ends,
the worker stops its commands, removes its folders and exits. The one argument is a folder for its temporary files.
"""

from __future__ import annotations

import json
import os
import platform
import queue
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

from agentbench_lsp.gate.jobs import LAST_EVENTS, Jobs
from agentbench_lsp.gate.stopping import Stopped, stoppable
from agentbench_lsp.runner.quiet import quiet_regexes


def main() -> None:
    """Answer requests until stdin ends."""
    quiet_regexes()
    events, requests = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # a stray print must not stand among the events
    folder = sys.argv[1] if len(sys.argv) > 1 else None
    if folder is not None:
        tempfile.tempdir = folder  # of this process: commands keep theirs
    try:
        with stoppable():
            _serve(events, _Requests(requests))
    except Stopped as stop:
        sys.exit(stop.exit_code)
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


class _Requests:
    """Lines of stdin, read in a thread, so that its end is noticed while a job runs."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._read = self._answered = 0
        threading.Thread(target=self._run, daemon=True).start()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        while line := self._lines.get():
            yield json.loads(line)

    def answered(self) -> None:
        """A request is done with: the end of stdin interrupts nothing."""
        self._answered += 1

    def _run(self) -> None:
        for line in self._stream:
            self._read += 1
            self._lines.put(line)
        self._lines.put(b"")
        if self._read == self._answered:
            return
        if sys.platform == "win32":
            os._exit(1)
        else:
            # To the main thread itself: it waits for a command, and a signal elsewhere would not wake it.
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


def _serve(events: IO[bytes], requests: _Requests) -> None:
    jobs = Jobs()
    _send(events, {"event": "ready", "python": platform.python_version()})
    for request in requests:
        jobs.do(request, partial(_answer, events, requests, request.get("id")))


def _answer(events: IO[bytes], requests: _Requests, request_id: object, event: dict[str, Any]) -> None:
    if event["event"] in LAST_EVENTS:
        requests.answered()
    _send(events, {"id": request_id, **event})


def _send(events: IO[bytes], event: dict[str, Any]) -> None:
    events.write(json.dumps(event, default=str).encode() + b"\n")
    events.flush()


if __name__ == "__main__":
    main()

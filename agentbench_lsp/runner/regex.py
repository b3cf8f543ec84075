"""Regex search under a time limit.

CPython's `re` looks for signals while it backtracks, so a timer interrupts it in a POSIX main thread. Elsewhere the
search runs in a child process that is killed.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_CHILD = (
    "import json,re,sys\n"
    "p,t,f=json.loads(sys.stdin.buffer.read())\n"
    "m=re.search(p,t,f)\n"
    "print(json.dumps(m and m.span()))"
)


class RegexTimeoutError(Exception):
    """The pattern needs more time on this text than it may have."""


def search(pattern: str, text: str, flags: int, seconds: float) -> tuple[int, int] | None:
    """Span of the first match in `text`, or None. Raises re.error, RegexTimeoutError."""
    compiled = re.compile(pattern, flags)
    if can_interrupt():
        with interrupted_after(seconds, RegexTimeoutError):
            match = compiled.search(text)
        return match.span() if match else None
    return _search_in_child(pattern, text, flags, seconds)


def can_interrupt() -> bool:
    """True where `interrupted_after` works: POSIX, main thread."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def interrupted_after(seconds: float, error: type[BaseException]) -> Iterator[None]:
    """Raise `error` in the main thread when the block has run for `seconds`."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise error(f"ran longer than {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _search_in_child(pattern: str, text: str, flags: int, seconds: float) -> tuple[int, int] | None:
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and program
            [sys.executable, "-I", "-c", _CHILD],
            input=json.dumps([pattern, text, flags]).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds + 1,  # its start-up is not the pattern's fault
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        raise RegexTimeoutError(f"ran longer than {seconds:g} s") from None
    span = json.loads(done.stdout)
    return (span[0], span[1]) if span else None

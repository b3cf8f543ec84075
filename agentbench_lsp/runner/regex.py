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
from itertools import islice
from types import FrameType

_CHILD = (
    "import json,re,sys\n"
    "import itertools as i\n"
    "p,t,f,n=json.loads(sys.stdin.buffer.read())\n"
    "print(json.dumps([m.span() for m in i.islice(re.finditer(p,t,f),n)]))"
)


class RegexTimeoutError(Exception):
    """The pattern needs more time on this text than it may have."""


def search(pattern: str, text: str, flags: int, seconds: float) -> tuple[int, int] | None:
    """Span of the first match in `text`, or None. Raises re.error, RegexTimeoutError."""
    return next(iter(find_all(pattern, text, flags, seconds, 1)), None)


def find_all(pattern: str, text: str, flags: int, seconds: float, most: int) -> list[tuple[int, int]]:
    """Spans of the first `most` matches in `text`. Raises re.error, RegexTimeoutError."""
    compiled = re.compile(pattern, flags)
    if can_interrupt():
        with interrupted_after(seconds, RegexTimeoutError):
            return [match.span() for match in islice(compiled.finditer(text), most)]
    return _find_in_child(pattern, text, flags, seconds, most)


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


def _find_in_child(pattern: str, text: str, flags: int, seconds: float, most: int) -> list[tuple[int, int]]:
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and program
            [sys.executable, "-I", "-c", _CHILD],
            input=json.dumps([pattern, text, flags, most]).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds + 1,  # its start-up is not the pattern's fault
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        raise RegexTimeoutError(f"ran longer than {seconds:g} s") from None
    return [(start, end) for start, end in json.loads(done.stdout)]

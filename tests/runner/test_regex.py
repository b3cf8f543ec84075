"""Regex search under a time limit, in the main thread and outside of it."""

from __future__ import annotations

import re
import threading
import time

import pytest

from agentbench_lsp.runner import regex

COSTLY = ("(a+)+$", "a" * 40 + "!")


def in_thread(*args: object) -> list[object]:
    box: list[object] = []

    def run() -> None:
        try:
            box.append(regex.search(*args))  # type: ignore[arg-type]
        except Exception as exc:  # noqa: BLE001
            box.append(exc)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return box


def test_found_and_not_found() -> None:
    assert regex.search("b+", "abbc", 0, 5) == (1, 3)
    assert regex.search("^b", "a\nb", re.MULTILINE, 5) == (2, 3)
    assert regex.search("x", "abc", 0, 5) is None
    assert in_thread("b+", "abbc", 0, 5) == [(1, 3)]
    assert in_thread("é😀", "xé😀", 0, 5) == [(1, 3)]


def test_a_pattern_that_never_ends_is_interrupted() -> None:
    started = time.monotonic()
    with pytest.raises(regex.RegexTimeoutError):
        regex.search(*COSTLY, 0, 0.2)
    assert isinstance(in_thread(*COSTLY, 0, 0.2)[0], regex.RegexTimeoutError)
    assert time.monotonic() - started < 20


def test_the_alarm_is_as_it_was_afterwards() -> None:
    import signal

    before = signal.getsignal(signal.SIGALRM)
    regex.search("a", "a", 0, 5)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)

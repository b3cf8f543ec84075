"""Ending early on Ctrl-C and SIGTERM: children die, temporary folders go, what is known is still said."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType


class Stopped(BaseException):
    """Raised in the main thread by the first signal. `exit_code` is the shell's: 128 + the signal's number."""

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.name = signal.Signals(signum).name
        self.exit_code = 128 + signum


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Turn the first SIGINT or SIGTERM in the block into `Stopped`; later ones must not disturb the cleaning up."""

    def stop(signum: int, _frame: FrameType | None) -> None:
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(signum)

    previous = {each: signal.signal(each, stop) for each in _SIGNALS}
    try:
        yield
    finally:
        for each, handler in previous.items():
            signal.signal(each, handler)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)

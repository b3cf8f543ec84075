"""Long work in the event loop, with pauses in which it does its other work."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

_SLICE = 0.005  # seconds of work between two looks at the event loop


class Pause:
    """Asked now and then, lets the event loop go on when it has waited long enough."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    async def now_and_then(self) -> None:
        if time.monotonic() - self._since > _SLICE:
            await asyncio.sleep(0)
            self._since = time.monotonic()


async def in_slices(steps: Iterator[object]) -> None:
    """Run an iterator to its end without keeping the event loop from its other work."""
    pause = Pause()
    for _ in steps:
        await pause.now_and_then()

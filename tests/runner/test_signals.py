"""A signal that arrives in the middle of a step is handled at the end of the step."""

from __future__ import annotations

import signal
import threading

import pytest

from agentbench_lsp.gate.stopping import Stopped, stoppable
from agentbench_lsp.runner.signals import deferred_signals


def test_the_step_is_finished_first() -> None:
    done = []

    def step() -> None:
        with stoppable(), deferred_signals():
            signal.raise_signal(signal.SIGTERM)
            done.append("the step")

    with pytest.raises(Stopped) as caught:
        step()
    assert done == ["the step"]
    assert (caught.value.name, caught.value.exit_code) == ("SIGTERM", 143)


def test_without_a_signal_the_handlers_are_as_before() -> None:
    before = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]
    with stoppable(), deferred_signals():
        pass
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_second_signal_does_not_disturb_the_cleaning_up() -> None:
    cleaned = []

    def work() -> None:
        with stoppable():
            try:
                signal.raise_signal(signal.SIGINT)
            finally:
                signal.raise_signal(signal.SIGTERM)
                cleaned.append(True)

    with pytest.raises(Stopped):
        work()
    assert cleaned == [True]


def test_other_threads_are_left_alone() -> None:
    seen = []

    def run() -> None:
        with deferred_signals():
            seen.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [True]

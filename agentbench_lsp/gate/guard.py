"""Calling an oracle that is registered in this very process, so that it can do no harm to the others."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable

from agentbench_lsp.gate.details import no_verdict
from agentbench_lsp.models.task import OracleResult
from agentbench_lsp.runner.regex import can_interrupt, interrupted_after


class _TimeIsUp(BaseException):
    """Not an Exception: an oracle's own `except Exception` must not swallow it."""


def guarded(call: Callable[[], OracleResult], oracle_type: str, seconds: float) -> OracleResult:
    """The call's result; a failed one where it raises, exits, prints, hangs or returns something else."""
    box: list[OracleResult] = []

    def run() -> None:
        box.append(_answer(call, oracle_type))

    if can_interrupt():
        try:
            with interrupted_after(seconds, _TimeIsUp):
                run()
        except _TimeIsUp:
            box.clear()
    else:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(seconds)
    return box[0] if box else no_verdict(oracle_type, f"no answer within {seconds:g} s")


def _answer(call: Callable[[], OracleResult], oracle_type: str) -> OracleResult:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result: object = call()
    except (Exception, SystemExit) as exc:  # noqa: BLE001 - it is the oracle's failure, whatever it is
        return no_verdict(oracle_type, f"the oracle raised {describe(exc)}")
    if not isinstance(result, OracleResult):
        return no_verdict(oracle_type, f"the oracle returned {type(result).__name__}, not an OracleResult")
    if text := printed.getvalue().strip():
        verdict = "passed" if result.passed else f"failed: {result.message}"
        message = f"the oracle printed {text.splitlines()[0]!r} (its own verdict was: {verdict})"
        return no_verdict(oracle_type, message, result.details)
    return result


def describe(exc: BaseException) -> str:
    """`ValueError: text`, or the class name where there is no text."""
    text = str(exc)
    return f"{type(exc).__name__}: {text}" if text else type(exc).__name__

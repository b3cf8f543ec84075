"""The details of a custom oracle's result may hold anything. What the engine reads of them has the shape it expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agentbench_lsp.models.task import OracleResult

# Keys that the engine itself writes later: an oracle's own would be taken for the engine's.
_OURS = ("blame", "baseline", "nearest", "became", "passes_untouched")


def checked_details(details: object, steps: int) -> dict[str, Any]:
    """`details` without what would be misread; `steps` is how many the trajectory has."""

    def violations(value: object) -> bool:
        return isinstance(value, list) and all(
            isinstance(each, dict) and type(index := each.get("step_index")) is int and 0 <= index < steps
            for each in value
        )

    shapes: dict[str, Callable[[object], bool]] = {
        "violations": violations,
        **dict.fromkeys(("warnings", "diff", "telling", "was"), _is_texts),
        **dict.fromkeys(("stdout", "stderr", "outcome", "sandbox", "command_run"), _is_text),
    }
    return {
        str(key): value
        for key, value in (details.items() if isinstance(details, Mapping) else ())
        if key not in _OURS and (key not in shapes or shapes[key](value))
    }


def no_verdict(oracle_type: str, message: str, details: object = None) -> OracleResult:
    """The result of an oracle that could not judge, with the details it gave, if they are any; it counts as failed."""
    kept = details if isinstance(details, Mapping) else {}
    return OracleResult(oracle_type, False, message, {**kept, "undecided": True})


def is_undecided(details: object) -> bool:
    """True where an oracle came to no verdict of its own: it ran out of time, raised, is of no known type."""
    return isinstance(details, Mapping) and bool(details.get("undecided"))


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)

"""Whether a regex compiles with the engine that evaluates it."""

from __future__ import annotations

import re


def regex_fault(pattern: str) -> tuple[str, int | None] | None:
    """What keeps a pattern from compiling with the evaluator's engine, and the index in it; None where it compiles."""
    try:
        re.compile(pattern, re.MULTILINE)
    except re.error as exc:
        return exc.msg, exc.pos
    except (OverflowError, RecursionError) as exc:
        return str(exc), None
    return None

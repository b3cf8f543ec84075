"""How child processes of this package are started."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path


def child_command(module: str, interpreter: str | None = None) -> list[str]:
    """The words that run a module's `main` in another process, with the given interpreter or this one.

    The folder it is started in is not where modules are found.
    """
    return [interpreter or sys.executable, str(Path(__file__).parent / "start" / "bootstrap.py"), module, _fallback()]


@cache
def _fallback() -> str:
    spec = find_spec("jsonschema")
    return str(Path(spec.origin).parent.parent) if spec and spec.origin else ""

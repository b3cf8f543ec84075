"""Compiling an author's regex must not print: `re` warns of what later Pythons may read otherwise."""

from __future__ import annotations

import warnings


def quiet_regexes() -> None:
    """For a process of ours, at its start."""
    warnings.filterwarnings("ignore", "Possible .* at position", FutureWarning)

"""Which files of a folder may be ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_PASSED_OVER = frozenset({"node_modules", "__pycache__"})


def json_files(folder: Path) -> Iterator[Path]:
    """JSON files in a folder and below, sorted; hidden ones, links to folders and installed packages are passed over.

    A folder that cannot be read is given back itself, so that reading it tells why.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        yield folder
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in _PASSED_OVER:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from json_files(folder / entry.name)
        elif entry.name.endswith(".json") and entry.is_file():
            yield folder / entry.name

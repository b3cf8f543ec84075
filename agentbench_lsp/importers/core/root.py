"""Which folder of the recorded machine is the workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from agentbench_lsp.models.paths import absolute_parts, has_drive, is_absolute


def choose_root(cwds: Sequence[str], edited: Iterable[str]) -> str | None:
    """The root of a session, by its working folders in order and the absolute paths of its edits.

    The folder it started in, or one above: the git root if this machine has it, else a working folder above that
    holds more of the edits. Without any, the folder that all edits are below; None where no path is absolute.
    """
    folders = list(dict.fromkeys(cwd for cwd in cwds if is_absolute(cwd)))
    paths = [tuple(absolute_parts(path)) for path in edited if is_absolute(path)]
    if not folders:
        return _common_folder(paths)
    if (git := _git_root(folders[0])) is not None:
        return git

    def held(folder: str) -> int:
        parts = tuple(absolute_parts(folder))
        return sum(path[: len(parts)] == parts for path in paths)

    counts = Counter({folder: held(folder) for folder in folders})
    best = max(counts.values())
    # The first of those that hold the most; an outer folder holds all that an inner one does.
    return next(folder for folder in folders if counts[folder] == best)


def _git_root(cwd: str) -> str | None:
    folder = Path(cwd)
    try:
        found = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    except OSError:
        return None
    return found.as_posix() if found is not None and folder.is_dir() else None


def _common_folder(paths: list[tuple[str, ...]]) -> str | None:
    if not paths:
        return None
    common = list(paths[0][:-1])
    for path in paths:
        while path[: len(common)] != tuple(common):
            common.pop()
    text = "/".join(common)
    return text if has_drive(text) else "/" + text

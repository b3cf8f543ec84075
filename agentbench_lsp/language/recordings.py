"""Which trajectories belong to a task, the likeliest first, and why."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from agentbench_lsp.language.surroundings import Summary
from agentbench_lsp.language.task_document import TaskDocument

_FOLDERS = ("", "trajectories", "../trajectories")
_MANIFESTS = ("", "..", "../benchmarks")
_LEVELS = 4
_RECORDED = ("trajectory", "session")


class Recording(NamedTuple):
    """A path relative to the task's folder, and the reason."""

    path: str
    reason: str


def recordings(task: TaskDocument) -> list[Recording]:
    """What a manifest lists, what is named like the task beside it and in `trajectories`, what names the task."""
    found: dict[str, Recording] = {}
    for recording in (*_of_manifests(task), *_by_name(task), *_by_metadata(task)):
        found.setdefault(recording.path, recording)
    return list(found.values())


def _of_manifests(task: TaskDocument) -> Iterator[Recording]:
    """Of manifests that say what their run was recorded for, then of those that list the task."""
    listed = []
    for folder in _MANIFESTS:
        for name, summary in task.around.neighbours(folder).files.items():
            path = _above(task, folder, summary.trajectory) if summary.trajectory else None
            if summary.kind != "manifest" or path is None:
                continue
            if _base(summary.recorded_for or "") == task.around.name:
                yield Recording(path, f"recorded for the task, says {name}")
            elif task.around.name in map(_base, _task_files(task, folder, summary)):
                listed.append(Recording(path, f"the run of {name}, which lists the task"))
    yield from listed


def _task_files(task: TaskDocument, folder: str, manifest: Summary) -> tuple[str, ...]:
    """The task files that a manifest lists, or the manifest that it refers to."""
    if not manifest.task_subset:
        return manifest.task_files
    path = posixpath.normpath(posixpath.join(folder, manifest.task_subset.replace("\\", "/")))
    subset = task.around.neighbours(posixpath.dirname(path)).files.get(posixpath.basename(path))
    return subset.task_files if subset else ()


def _above(task: TaskDocument, folder: str, written: str) -> str | None:
    """A recording, named relative to a folder or to one above it: manifests are written from the project's root."""
    name = written.replace("\\", "/")
    if posixpath.isabs(name):
        return None
    paths = (posixpath.normpath(posixpath.join(folder, *[".."] * up, name)) for up in range(_LEVELS))
    return next((path for path in paths if _is_trajectory(task, path)), None)


def _is_trajectory(task: TaskDocument, path: str) -> bool:
    if not task.around.exists(path):
        return False
    known = task.around.neighbours(posixpath.dirname(path)).files.get(posixpath.basename(path))
    return known is not None and known.kind in _RECORDED


def _base(path: str) -> str:
    return posixpath.basename(path.replace("\\", "/"))


def _by_name(task: TaskDocument) -> Iterator[Recording]:
    stem = task.around.name.removesuffix(".json").removesuffix(".task")
    if not stem:
        return
    for folder in _FOLDERS:
        where = "beside the task" if not folder else f"in {posixpath.basename(folder)}"
        for name in sorted(_trajectories(task, folder), key=lambda name: (name != f"{stem}.trajectory.json", name)):
            rest = name.removeprefix(stem)
            # `10_x` is not named after the task `1`.
            if rest != name and rest[:1] in (".", "_", "-"):
                yield Recording(posixpath.join(folder, name), f"{where}, named like the task")


def _by_metadata(task: TaskDocument) -> Iterator[Recording]:
    task_id, own = task.text_of("id"), task.around.name
    for folder in _FOLDERS:
        for name in _trajectories(task, folder):
            named = task.around.neighbours(folder).files[name].task
            if named and (named == task_id or _base(named) == own):
                yield Recording(posixpath.join(folder, name), "its metadata names the task")


def _trajectories(task: TaskDocument, folder: str) -> list[str]:
    return [name for name, known in task.around.neighbours(folder).files.items() if known.kind in _RECORDED]

"""The files that an import writes: their names, their text, and how they are written."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from agentbench_lsp.importers.core.session import Session

_SUFFIXES = (".trajectory.json", ".task.json", ".json")


class TargetError(ValueError):
    """A file must not be written; the message says why."""


def trajectory_text(document: dict[str, Any]) -> str:
    """The text of a trajectory, a field a line."""
    steps = ",\n    ".join(json_text(step).replace("\n", "\n    ") for step in document["steps"])
    metadata = json_text(document["metadata"]).replace("\n", "\n  ")
    return f'{{\n  "metadata": {metadata},\n  "steps": [{steps and f"{chr(10)}    {steps}{chr(10)}  "}]\n}}\n'


def json_text(value: Any) -> str:
    """A value as indented JSON that any text file can hold."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair
        return json.dumps(value, indent=2)
    return text


def stem_of(path: Path) -> str:
    """A file's name without the endings of a trajectory, a task, a session."""
    name = path.name
    for suffix in (*_SUFFIXES, ".jsonl", ".traj", ".eval", ".md"):
        if name.endswith(suffix) and name != suffix:
            return name.removesuffix(suffix)
    return name


def task_id_of(path: Path) -> str:
    """The id of a task in a file of this name."""
    return re.sub(r"[^\w.-]+", "-", stem_of(path)).strip("-.") or "task"


def trajectory_beside(task: Path) -> Path:
    """Where the trajectory of a new task goes, so that editors find it."""
    return task.with_name(f"{stem_of(task)}.trajectory.json")


def instance_path(output: Path, session: Session, source: Path, taken: set[Path]) -> Path:
    """The file of one session of several: in the folder `output`, or beside the file `output` with its name.

    Names that come out alike are numbered: `taken` are those of the sessions before, and is added to.
    """
    name = re.sub(r"[^\w.-]+", "-", session.instance).strip("-.")
    path, number = _named(output, name, source), 1
    while path in taken:
        number += 1
        path = _named(output, f"{name}-{number}", source)
    taken.add(path)
    return path


def _named(output: Path, name: str, source: Path) -> Path:
    if output.is_dir() or not output.suffix:
        return output / f"{name or stem_of(source)}.trajectory.json"
    return output.with_name(f"{stem_of(output)}.{name}.trajectory.json") if name else output


def link_to_source(source: Path, output: Path | None) -> str:
    """The session as the trajectory names it: relative to its own folder, so that both can be moved together."""
    if output is None:
        return source.name if source.is_absolute() else source.as_posix()
    try:
        return Path(os.path.relpath(source.resolve(), output.resolve().parent)).as_posix()
    except ValueError:  # on another drive
        return source.name


def write_new(path: Path, text: str, source: Path, overwrite: bool) -> None:
    """Write a file at once or not at all. Raises TargetError, OSError."""
    if path.exists() and path.resolve() == source.resolve():
        raise TargetError(f"{path} is the session itself; it is not written over")
    if path.exists() and not overwrite:
        raise TargetError(f"{path} is there already; --force writes over it")
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name[:40]}.{os.getpid()}.part")
    try:
        with unfinished.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise

"""What a command of ours is asked to work on: its argument, and snapshots of the documents it names."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from agentbench_lsp.language.document import Document
from agentbench_lsp.models.json_text import read_text
from agentbench_lsp.server.documents import Documents, file_path, uri_path

_LARGEST = 20_000_000  # bytes; what is larger is not held in the server


@dataclass(frozen=True, slots=True)
class Source:
    """A document as it is now: in the editor, else on disk."""

    uri: str
    document: Document
    is_whole: bool = True  # False: the document has none of the file's content, which is no text, or too much
    instance: str | None = None  # of a file of several sessions

    @property
    def payload(self) -> dict[str, str | None]:
        """What the worker is told."""
        path = file_path(self.uri)
        text = {"text": self.document.text} if self.is_whole else {}
        return {"path": self.uri if path is None else str(path), **text, "instance": self.instance}


@dataclass(frozen=True, slots=True)
class Request:
    """A task, a trajectory if one was named, and the index of the only oracle, if one was."""

    task: Source
    trajectory: Source | None
    oracle: int | None
    asks: bool = True  # the user may be asked which trajectory is meant
    order: int = field(default_factory=itertools.count().__next__)  # later requests have higher ones

    def job(self, name: str, sandbox: str) -> dict[str, Any]:
        """The worker's job."""
        return {
            "do": name,
            "task": self.task.payload,
            "trajectory": self.trajectory.payload if self.trajectory else None,
            "oracle": self.oracle,
            "sandbox": sandbox,
        }

    def with_trajectory(self, trajectory: Source | None) -> Request:
        """The same with a trajectory that was found later."""
        return replace(self, trajectory=trajectory)


def read_request(arguments: tuple[object, ...], documents: Documents, needs_oracle: bool = False) -> Request:
    """The argument of a command: `{"task": uri, "trajectory"?: uri, "oracle"?: index, "ask"?: bool}`.

    A trajectory may be a session; `"instance"` says which, where a file holds several.

    Raises JsonRpcInvalidParams with what is wrong.
    """
    if len(arguments) != 1 or not isinstance(arguments[0], dict):
        told = '{"task": uri, "trajectory"?: uri, "oracle"?: index}'
        raise JsonRpcInvalidParams(f"the command takes one argument, an object: {told}")
    argument = arguments[0]
    oracle = argument.get("oracle")
    if oracle is None and needs_oracle:
        raise JsonRpcInvalidParams("oracle is missing: the index of one of the task's oracles, counted from 0")
    if oracle is not None and (not isinstance(oracle, int) or isinstance(oracle, bool) or oracle < 0):
        raise JsonRpcInvalidParams(f"oracle must be an index of the task's oracles, counted from 0, not {oracle!r}")
    task = read_source("task", argument.get("task"), documents)
    given = argument.get("trajectory")
    trajectory = None if given is None else read_source("trajectory", given, documents)
    instance = argument.get("instance")
    if trajectory is not None and isinstance(instance, str):
        trajectory = replace(trajectory, instance=instance)
    return Request(task, trajectory, oracle, argument.get("ask") is not False)


def read_source(name: str, uri: object, documents: Documents) -> Source:
    """A document by its URI. Raises JsonRpcInvalidParams with what is wrong."""
    if not isinstance(uri, str) or not uri:
        raise JsonRpcInvalidParams(f"{name} must be the URI of a {name} document")
    if opened := documents.get(uri):
        return Source(uri, opened.snapshot)
    path = file_path(uri)
    if path is None:
        raise JsonRpcInvalidParams(f"{name}: {uri} is neither open nor a file")
    if path.exists() and not path.is_file() and not path.is_dir():
        raise JsonRpcInvalidParams(f"{name}: {path} is no regular file")  # a device has no end
    if name != "task" and _is_large_or_no_text(path):
        return Source(uri, Document("", uri_path(uri)), is_whole=False)
    try:
        return Source(uri, Document(read_text(path), uri_path(uri)))
    except OSError as exc:
        raise JsonRpcInvalidParams(f"{name}: {path} cannot be read: {exc.strerror or exc}") from None
    except UnicodeDecodeError as exc:
        raise JsonRpcInvalidParams(f"{name}: {path} is not UTF-8 text (byte {exc.start})") from None


def _is_large_or_no_text(path: Path) -> bool:
    """True for a session that only the worker reads: a large one, an archive, another encoding than UTF-8."""
    try:
        if path.stat().st_size > _LARGEST:
            return True
        with path.open("rb") as file:
            start = file.read(4)
    except OSError:
        return False
    return start.startswith((b"PK\3\4", b"\xff\xfe", b"\xfe\xff", b"\x28\xb5\x2f\xfd"))

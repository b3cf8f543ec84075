"""What all kinds of edit share: the change of one file, and text as the bytes of a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

Files = dict[str, bytes]  # contents by folded path


class NotAppliedError(Exception):
    """The edit does not fit the file; the file stays as it was."""


class UnsupportedEditError(NotAppliedError):
    """The edit is of a kind, or for a file, that replay cannot do."""


class Changed(NamedTuple):
    """A file after an edit: None where it is gone. `note` says how an edit applied that did not fit as recorded."""

    content: bytes | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class FileEdit(ABC):
    """A change of the file `path`, spelled as recorded."""

    path: str

    @abstractmethod
    def change(self, old: bytes | None) -> Changed:
        """The file after the edit; `old` is None where it does not exist. Raises NotAppliedError."""

    @property
    def text(self) -> str | None:
        """The text that the edit writes, as far as its recording holds it."""
        return None

    @property
    def target(self) -> str:
        """Where the changed file is then. Another path than `path` moves it."""
        return self.path

    @property
    def from_start(self) -> bool:
        """True if the edit is for the file as it was before the first step, whatever the steps made of it."""
        return False


def existing(old: bytes | None) -> bytes:
    """The file's content. Raises NotAppliedError where it does not exist."""
    if old is None:
        raise NotAppliedError("the file does not exist")
    return old


def encode(text: str, name: str) -> bytes:
    """UTF-8 of a text named `name` in the step. Raises NotAppliedError for half surrogate pairs."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotAppliedError(f"{name} holds half of a surrogate pair, which no UTF-8 file can hold") from None


def to_crlf(text: bytes) -> bytes:
    """`text` with every line end as CRLF."""
    return text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def is_crlf(content: bytes) -> bool:
    """True if every line of a file ends in CRLF, and there is one."""
    ends = content.count(b"\n")
    return ends > 0 and content.count(b"\r\n") == ends

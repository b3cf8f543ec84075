"""What a recording says became of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


class Unknown:
    """The type of `UNKNOWN`."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
Content = str | None | Unknown  # None: there is no such file


@dataclass(frozen=True, slots=True)
class Truth:
    """A file before and after an edit, as far as it is recorded. `path` is spelled as recorded.

    `diff` is a unified diff, for where the content is not recorded. `as_read`: the recording has made LF of line ends.
    `call_counts`: the call is what happened, as far as the contents do not say otherwise.
    """

    path: str
    original: Content = UNKNOWN
    content: Content = UNKNOWN
    diff: str | None = None
    moved_to: str | None = None
    as_read: bool = False
    call_counts: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """`failed` is why a call failed, was refused or interrupted. `truths` are the files it changed.

    `seen` are whole files that the call showed: path and content. `exit_code` is that of a command. `doubt` is why the
    call may have changed files that the recording does not tell of.
    """

    failed: str | None = None
    truths: tuple[Truth, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
    exit_code: int | None = None
    doubt: str | None = None


DONE = Outcome()
NO_RESULT = Outcome(failed="interrupted: the recording has no result of it")

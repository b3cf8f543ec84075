"""The files of a run as far as its recording tells, from before the first step to after the last."""

from __future__ import annotations

from agentbench_lsp.importers.core.outcome import UNKNOWN, Content, Unknown
from agentbench_lsp.models.paths import absolute_parts, fold, is_absolute


def canonical(path: str, cwd: str | None) -> str:
    """One spelling for each file: absolute and folded where it can be told."""
    if path.startswith(("~/", "~\\")):
        return fold(path)
    if not is_absolute(path):
        if cwd is None or not is_absolute(cwd):
            return fold(path if cwd is None else f"{cwd}/{path}")
        path = f"{cwd}/{path}"
    parts: list[str] = []
    for part in fold(path.replace("\\", "/")).split("/"):
        if part != "..":
            parts.append(part)
    return "/" + "/".join(absolute_parts("/" + "/".join(parts)))


class KnownFiles:
    """Contents by canonical path. What is not in it is not known; None is a file that does not exist.

    `originals` has what files held before the agent changed them.
    """

    def __init__(self) -> None:
        self.originals: dict[str, bytes | None] = {}
        self._now: dict[str, bytes | None] = {}
        self._touched: set[str] = set()

    def get(self, key: str) -> bytes | Unknown | None:
        return self._now.get(key, UNKNOWN)

    def is_touched(self, key: str) -> bool:
        """True if an edit has changed the file."""
        return key in self._touched

    def see(self, key: str, content: Content) -> bool:
        """Note what a file holds; False if that is another content than was known."""
        if isinstance(content, Unknown):
            return True
        found = None if content is None else encoded(content)
        before = self.get(key)
        self._now[key] = found
        if isinstance(before, Unknown):
            if key not in self._touched:
                self.originals[key] = found
            return True
        return _same(before, found)

    def set(self, key: str, content: bytes | Unknown | None) -> None:
        """Note what an edit made of a file; UNKNOWN where that cannot be told."""
        self._touched.add(key)
        if isinstance(content, Unknown):
            self._now.pop(key, None)
        else:
            self._now[key] = content


def encoded(text: str) -> bytes:
    """The bytes of a recorded text; half surrogate pairs survive."""
    return text.encode("utf-8", "surrogatepass")


def _same(one: bytes | None, other: bytes | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n")

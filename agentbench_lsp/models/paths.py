"""One path normalisation for workspace keys, steps and oracle params.

Paths are text with forward slashes, relative to the workspace root. The empty string is the root itself;
a result that begins with `../` leaves the workspace.
"""

from __future__ import annotations

import re
from functools import lru_cache

_DRIVE = re.compile(r"[A-Za-z]:(?=/|$)")
_MAX_COMPONENT_BYTES = 255
_MAX_PATH_BYTES = 4096


@lru_cache(maxsize=8192)
def fold(path: str) -> str:
    """Backslashes, `./`, `//`, inner `..`, leading and trailing slashes folded; `../x` where it leaves the root."""
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def is_absolute(path: str) -> bool:
    """True for `/x`, `\\x`, `//host/x` and `C:\\x`."""
    return path.startswith(("/", "\\")) or has_drive(path)


def has_drive(path: str) -> bool:
    """True for `C:\\x` and `C:/x`."""
    return bool(_DRIVE.match(path.replace("\\", "/")))


def escapes(folded: str) -> bool:
    """True where a folded path leaves the workspace."""
    return folded == ".." or folded.startswith("../")


def absolute_parts(path: str) -> list[str]:
    """Folded components of an absolute path; a drive letter in upper case. `..` above the root is dropped."""
    parts = [part for part in fold(path).split("/") if part and part != ".."]
    if parts and _DRIVE.match(parts[0]):
        parts[0] = parts[0].upper()
    return parts


def relative_to_root(path: str, root: str | None) -> str:
    """`path` folded and, where it is absolute and `root` is known, made relative to `root`.

    An absolute path that is not below `root` comes back as `../…`: it is outside. Without a root the leading
    slash is dropped, as AgentBench OS v0.1.0 does.
    """
    if root is None or not is_absolute(path):
        return fold(path)
    parts, base = absolute_parts(path), absolute_parts(root)
    if parts[: len(base)] == base:
        return "/".join(parts[len(base) :])
    return "../" * max(1, len(base)) + "/".join(parts)


def unusable(path: str) -> str | None:
    """Why no file of this folded path can exist on disk, or None where it can."""
    if path == "":
        return "it names the workspace folder itself"
    if "\0" in path:
        return "it holds a NUL character"
    try:
        encoded = path.encode("utf-8")
    except UnicodeEncodeError:
        return "it holds half of a surrogate pair"
    if len(encoded) > _MAX_PATH_BYTES or any(len(p) > _MAX_COMPONENT_BYTES for p in encoded.split(b"/")):
        return "it is too long for a file system"
    return None


def parents(path: str) -> list[str]:
    """Folders above a folded path, the nearest last: `a/b/c` gives `a`, `a/b`."""
    parts = path.split("/")
    return ["/".join(parts[:i]) for i in range(1, len(parts))]

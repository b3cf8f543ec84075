"""Secrets in a session: what the scanner detect-secrets finds, and masking it the same way everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from agentbench_lsp.importers.core.session import Session

# Entropy finds hashes and ids, which are what edits are made of; an address is no secret.
_LEFT_OUT = frozenset({"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector"})
_LONGEST_LINE = 5_000
_TOKEN = re.compile(r"[\w.+/=-]+")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(.*?)(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY|\Z)", re.DOTALL
)
_SHORTEST = 6  # of a value that is masked wherever it stands


class ScannerMissingError(ValueError):
    """detect-secrets is not installed."""


class Secret(NamedTuple):
    """What looks like a secret: its kind, and its text."""

    kind: str
    value: str


@dataclass
class Scan:
    """What was found in a document, and by which steps first."""

    secrets: dict[str, str]  # value -> kind
    first_step: int | None = None

    def told(self) -> str | None:
        """A warning; None where nothing was found."""
        if not self.secrets:
            return None
        kinds: dict[str, int] = {}
        for kind in self.secrets.values():
            kinds[kind] = kinds.get(kind, 0) + 1
        listed = ", ".join(f"{kind} ({count})" if count > 1 else kind for kind, count in sorted(kinds.items()))
        where = f", first in step {self.first_step}" if self.first_step is not None else ""
        return f"something looks like a secret{where}: {listed}; --redact masks it"

    def masked(self, value: Any) -> Any:
        """The value with every secret masked. The same secret has the same mask, so edits still fit."""
        if not self.secrets:
            return value
        masks = {secret: f"REDACTED-{number}" for number, secret in enumerate(self.secrets, 1)}
        longest_first = sorted(masks, key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, longest_first)))
        return _mapped(value, lambda text: pattern.sub(lambda match: masks[match[0]], text))


def scan_session(session: Session) -> Scan:
    """Look through a session. Raises ScannerMissingError."""
    return scan(session.document, [content.decode("utf-8", "replace") for content in session.originals.values()])


def redacted(session: Session, found: Scan) -> Session:
    """The session with its secrets masked, the files that the agent found too."""
    originals = {
        path: found.masked(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        for path, content in session.originals.items()
    }
    document, prompt = found.masked(session.document), found.masked(session.prompt)
    return replace(session, document=document, prompt=prompt, originals=originals)


def scan(document: dict[str, Any], more: Any = None) -> Scan:
    """Look through a trajectory, and anything beside it. Raises ScannerMissingError."""
    scanner = _scanner()
    found = Scan({})
    known: dict[str, tuple[Secret, ...]] = {}

    def look(value: Any, step: int | None) -> None:
        for text in _texts(value):
            for secret in _secrets(text, scanner, known):
                if secret.value not in found.secrets and found.first_step is None:
                    found.first_step = step
                found.secrets.setdefault(secret.value, secret.kind)

    for index, step in enumerate(document.get("steps", ())):
        look(step, index)
    look({key: value for key, value in document.items() if key != "steps"}, None)
    look(more, None)
    return found


def _secrets(text: str, scanner: _Scanner, known: dict[str, tuple[Secret, ...]]) -> Iterator[Secret]:
    for match in _PRIVATE_KEY.finditer(text):
        for line in match[1].splitlines():
            if len(line.strip()) >= _SHORTEST:
                yield Secret("Private Key", line.strip())
    for line in text.splitlines():
        if len(line) < _SHORTEST:
            continue
        if line not in known:
            pieces = [line[at : at + _LONGEST_LINE] for at in range(0, len(line), _LONGEST_LINE)]
            known[line] = tuple(secret for piece in pieces for secret in scanner(piece))
        yield from known[line]


_Scanner = Callable[[str], list[Secret]]


def _scanner() -> _Scanner:
    try:
        from detect_secrets.core import scan as scanning
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
        from detect_secrets.settings import transient_settings
    except ImportError:
        raise ScannerMissingError("secrets were not looked for: this Python has no detect-secrets") from None
    plugins: list[type] = list(get_mapping_from_secret_type_to_class().values())
    names = [plugin.__name__ for plugin in plugins]
    settings = {"plugins_used": [{"name": name} for name in names if name not in _LEFT_OUT]}

    def scanner(line: str) -> list[Secret]:
        with transient_settings(settings):
            found = [(s.type, s.secret_value) for s in scanning.scan_line(line) if s.secret_value]
        return [Secret(kind, whole) for kind, value in found if len(whole := _whole(line, value)) >= _SHORTEST]

    return scanner


def _whole(line: str, value: str) -> str:
    """The token that a value is part of: some detectors give its first letters only. Empty for a key's heading."""
    if value.startswith("BEGIN "):
        return ""
    if len(value) >= 2 * _SHORTEST:
        return value
    at = line.find(value)
    token = next((m for m in _TOKEN.finditer(line) if m.start() <= at < m.end()), None)
    return token[0] if token and token.start() == at and len(value) < _SHORTEST else value


def _texts(value: Any) -> Iterator[str]:
    todo = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            todo += each.values()
        elif isinstance(each, list):
            todo += each


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key): _mapped(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    return value

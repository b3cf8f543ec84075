"""What is wrong with a document, as data."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from agentbench_lsp.models.json_text import JsonPath

_PLAIN = re.compile(r"[A-Za-z_][\w-]*")


def spell_path(path: JsonPath) -> str:
    """`()` as `$`, `("oracles", 2, "pattern")` as `oracles[2].pattern`, other keys as `workspace["a/b.py"]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part, ensure_ascii=False)}]"
    return text or "$"


@dataclass(frozen=True, slots=True)
class DocumentError:
    """One fault: where (`location`, keys and indexes from the root), a stable code, and what to do."""

    location: JsonPath
    code: str
    message: str

    @property
    def path(self) -> str:
        """`location`, spelled: `$`, `id`, `oracles[2].pattern`."""
        return spell_path(self.location)

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class ValidationError(ValueError):
    """A document that cannot be used. `errors` holds every fault of it, in document-field order."""

    def __init__(self, errors: Sequence[DocumentError]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(map(str, self.errors)))

"""How good the ranking is: for every value of every real task, where it stands in the list that is offered for it.

A value is taken out of its task (as if it were not written yet), and completion is asked for it. A score is the mean of
1 / rank over all values (0 for one that is not offered). Run with `-s` to see the lists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentbench_lsp.language.completion import Completion, complete
from agentbench_lsp.language.document import Document
from agentbench_lsp.oracles.base import registered_specs
from tests.conftest import SHARED, TASKS

OURS = sorted(TASKS.glob("[0-9]*.json"))
SAMPLES = sorted((SHARED / "samples" / "tasks-agentbench-os" / "tasks").glob("*.json"))
HERE = "HERE"


def cases(file: Path, param: str) -> Iterator[tuple[str, int, str]]:
    """Document without a value and without the oracles behind it, where the value belongs, and the value."""
    task: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    for i, oracle in enumerate(task.get("oracles", [])):
        if isinstance(oracle.get(param), str):
            half = {**task, "oracles": [*task["oracles"][:i], {**oracle, param: HERE}]}
            text = json.dumps(half, indent=2)
            yield text.replace(f'"{HERE}"', '""'), text.index(f'"{HERE}"') + 1, oracle[param]


def is_it(param: str, offered: Completion, wanted: str) -> bool:
    """The same path; a command of the same words in any order; a pattern for a line that the wanted one finds."""
    if param == "command":
        return sorted(offered.label.split()) == sorted(wanted.split())
    if param == "pattern":
        return re.search(wanted, offered.label, re.MULTILINE) is not None
    return offered.label == wanted


def can_be_known(file: Path, param: str, wanted: str) -> bool:
    """Not what the agent is to write: no list can hold it."""
    workspace = json.loads(file.read_text(encoding="utf-8"))["workspace"]
    if param == "pattern":
        lines = [line for content in workspace.values() for line in content.splitlines()]
        return any(re.search(wanted, line.strip(), re.MULTILINE) for line in lines) and "(?!" not in wanted
    return param == "command" or wanted in workspace


def ranks(files: list[Path], param: str) -> list[tuple[Path, str, int | None]]:
    found: list[tuple[Path, str, int | None]] = []
    for file in files:
        for text, at, wanted in cases(file, param):
            if can_be_known(file, param, wanted):
                items = complete(Document(text, "tasks/x.json"), at, registered_specs())
                hits = [i for i, item in enumerate(items, 1) if is_it(param, item, wanted)]
                found.append((file, wanted, hits[0] if hits else None))
    return found


def score(found: list[tuple[Path, str, int | None]]) -> float:
    return sum(1 / rank if rank else 0 for *_, rank in found) / len(found)


# What the ranking reaches today, rounded down: a change may not make it worse.
@pytest.mark.parametrize(
    ("param", "least_ours", "least_samples"), [("path", 0.71, 0.82), ("command", 0.78, 0.94), ("pattern", 0.24, 0.82)]
)
def test_the_ranking_does_not_become_worse(param: str, least_ours: float, least_samples: float) -> None:
    for files, least in ((OURS, least_ours), (SAMPLES, least_samples)):
        found = ranks(files, param)
        for file, wanted, rank in found:
            print(f"{file.name[:28]:30}{rank or '-':>4}  {wanted[:80]!r}")
        if found:
            print(f"{param}: {score(found):.3f} over {len(found)}")
            assert score(found) >= least

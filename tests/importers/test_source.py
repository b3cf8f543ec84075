"""Telling lines from documents, and reading what is not as it should be."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agentbench_lsp.importers.core.source import Source

OBJECT = {"type": "user", "text": "x"}


def source(folder: Path, text: str) -> Source:
    path = folder / "s"
    path.write_text(text, encoding="utf-8")
    return Source(path)


LINE = json.dumps(OBJECT)
LONG = json.dumps({"type": "user", "text": "x" * 600_000})
DEEP = '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.mark.parametrize(
    ("text", "shape", "count"),
    [
        (f"{LINE}\n{LINE}\n", "lines", 2),
        (f"{LINE}\n", "document", 1),
        (f"{LONG}\n{LINE}\n", "lines", 2),
        (f"{DEEP}\n{LINE}\n{LINE}\n", "lines", 2),
        (f"log: started\n{LINE}\n", "lines", 1),
        (f"\n\n{LINE}\n\n{LINE[:9]}", "lines", 1),
        (json.dumps([OBJECT, OBJECT], indent=2), "document", 2),
        (f"[\n{LINE},\n{LINE}\n]", "document", 2),
        (f'{{"a": 1,\n"b": {LINE}}}', "document", 1),
        ("prose", "text", 0),
    ],
)
def test_the_shape_and_the_records(tmp_path: Path, text: str, shape: str, count: int) -> None:
    found = source(tmp_path, text)
    assert found.head.shape == shape
    assert len(list(found.records()) if shape != "text" else []) == count


def test_a_document_that_ends_early_gives_what_there_was(tmp_path: Path) -> None:
    found = source(tmp_path, f'{{"steps": [{LINE}, {LINE}, {LINE[:9]}')
    assert [member.item for member in found.members()] == [0, 1]
    assert found.notes == ["the document ends in the middle of line 1; what comes after was left out"]


def test_the_lines_of_a_pretty_document(tmp_path: Path) -> None:
    found = source(tmp_path, json.dumps({"steps": [OBJECT, OBJECT]}, indent=1))
    assert [member.line for member in found.members()] == [3, 7]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no regular file"):
        _ = Source(tmp_path / "pipe").head

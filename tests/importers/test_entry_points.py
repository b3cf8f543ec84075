"""Importers of other packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from agentbench_lsp.importers.core import importer
from agentbench_lsp.importers.core.importer import Importer, importers
from agentbench_lsp.importers.core.importing import read_sessions
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source


class Mine(Importer):
    """A format of ours."""

    name, title = "mine", "Mine"

    def recognise(self, head: Head) -> str | None:
        return "mine" if head.text.startswith("mine") else None

    def read(self, source: Source) -> Iterator[Recorder]:
        recorder = Recorder(self.name)
        recorder.step("Write", {"path": "a", "content": "x"}, 1)
        recorder.finish()
        yield recorder


def test_an_entry_point_adds_a_format_and_a_broken_one_hides_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = [
        EntryPoint("broken", "no.such:thing", importer.GROUP),
        EntryPoint("mine", f"{__name__}:Mine", importer.GROUP),
    ]
    monkeypatch.setattr(importer, "entry_points", lambda group: points if group == importer.GROUP else [])
    importers.cache_clear()
    try:
        (tmp_path / "s").write_text("mine")
        (found,) = read_sessions(Source(tmp_path / "s"))
        assert (found.format, found.fidelity.applied) == ("mine", 1)
        assert "claude-code" in importers()
    finally:
        monkeypatch.undo()
        importers.cache_clear()

"""Sessions of agents in the editor: rules, outline, evaluation against them, the way back from a trajectory."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lsprotocol import types

from tests.helpers.bench import Bench
from tests.helpers.build import save, task_dict, unmodified
from tests.helpers.raw_client import uri_of
from tests.importers.test_importers import EDIT, EDITED, claude
from tests.importers.test_paths import write


@pytest.fixture
def recorded() -> str:
    records = claude(write("/elsewhere/x"), ("Edit", EDIT, EDITED, False))
    return "\n".join(map(json.dumps, records)) + "\n"


async def test_the_rules_of_trajectories_and_the_outline(bench: Bench, recorded: str) -> None:
    uri = uri_of(bench.folder / "s.jsonl")
    bench.open(uri, recorded)
    (outside,) = await bench.shown(uri, "path-outside-workspace")
    assert outside.range.start.line == 1
    identifier = types.TextDocumentIdentifier(uri)
    found: Any = await bench.client.text_document_document_symbol_async(types.DocumentSymbolParams(identifier))
    assert [symbol.name for symbol in found] == ["0: Write", "1: Edit"]
    edits = await bench.client.text_document_formatting_async(
        types.DocumentFormattingParams(identifier, types.FormattingOptions(2, True))
    )
    assert not edits


async def test_a_failure_is_shown_on_the_line_of_the_session(bench: Bench, recorded: str) -> None:
    task, session = bench.folder / "t.task.json", bench.folder / "s.jsonl"
    save(task, task_dict(unmodified("a.txt"), workspace={"a.txt": "one\n"}))
    session.write_text(recorded, encoding="utf-8")
    bench.open(uri_of(session), recorded)
    await bench.command("evaluate", {"task": uri_of(task), "trajectory": uri_of(session)})
    found = await bench.shown(uri_of(session), "path-outside-workspace", "step-broke-oracle")
    assert [d.range.start.line for d in found if d.code == "step-broke-oracle"] == [3]


async def test_from_a_step_to_the_line_it_was_recorded_on(bench: Bench) -> None:
    (bench.folder / "s.jsonl").write_text("{}\n{}\n", encoding="utf-8")
    step = {"tool": "Write", "args": {"path": "a", "content": ""}, "source": {"line": 2}}
    text = json.dumps({"metadata": {"source": {"file": "s.jsonl"}}, "steps": [step]})
    uri = uri_of(bench.folder / "run.trajectory.json")
    bench.open(uri, text)
    identifier = types.TextDocumentIdentifier(uri)
    at = types.Position(0, text.index('"Write"') + 2)
    target: Any = await bench.client.text_document_definition_async(types.DefinitionParams(identifier, at))
    first = target[0] if isinstance(target, list) else target
    where = getattr(first, "target_range", None) or first.range
    assert where.start.line == 1
    links: Any = await bench.client.text_document_document_link_async(types.DocumentLinkParams(identifier))
    assert sorted(link.target.rpartition("/")[2] for link in links) == ["s.jsonl", "s.jsonl#L2"]

"""Every rule, on documents with markers (`fixtures/rules/<code>.txt`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentbench_lsp.language.diagnostics import all_rules, diagnose
from agentbench_lsp.language.document import Document
from agentbench_lsp.oracles.base import registered_specs
from tests.helpers.markers import UPDATE, Fixture, mark, read_fixtures, write_fixtures

FOLDER = Path(__file__).parent / "fixtures" / "rules"
FIXTURES = [fixture for file in sorted(FOLDER.glob("*.txt")) for fixture in read_fixtures(file)]


def marked(fixture: Fixture) -> str:
    text = fixture.text
    # The name of a fixture may say what the file is called: `manifest.json: …`.
    path = fixture.name.partition(": ")[0] if ".json: " in fixture.name else "tasks/x.json"
    return mark(text, diagnose(Document(text, path), registered_specs()))


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda f: f"{f.file.stem}-{f.name}")
def test_findings_are_where_the_markers_are(fixture: Fixture) -> None:
    if UPDATE:
        every = {f.name: marked(f) for f in read_fixtures(fixture.file)}
        write_fixtures(fixture.file, every)
    assert marked(fixture) == (marked(fixture) if UPDATE else fixture.marked)


@pytest.mark.parametrize("nested", ["[" * 50_000, '{"a":' * 50_000, '"\\ud83d"', "[" * 300 + "]" * 300])
@pytest.mark.parametrize(
    "before", ['{"oracles": [{"type": "no_network", "x": ', '{"steps": [{"args": ', '{"task_files": ']
)
def test_no_rule_crashes_on_odd_documents(nested: str, before: str, caplog: pytest.LogCaptureFixture) -> None:
    text = before + nested
    for document in (Document(text, "x.task.json"), Document(text, "x.json")):
        for finding in diagnose(document, registered_specs()):
            assert 0 <= finding.start <= finding.end <= len(text)
    assert caplog.records == []


def test_every_rule_has_a_fixture_that_shows_it() -> None:
    shown = {file.stem for file in FOLDER.glob("*.txt") if f" {file.stem}: " in file.read_text(encoding="utf-8")}
    assert shown == set(all_rules())


@pytest.mark.parametrize("code", sorted(all_rules()))
def test_every_rule_has_a_whole_page(code: str) -> None:
    rule, _, page = all_rules()[code]
    assert rule.title
    assert [line for line in page.splitlines() if line.startswith("## ")] == ["## Why", "## Example", "## Fix"]
    assert page.splitlines()[0].endswith(".")

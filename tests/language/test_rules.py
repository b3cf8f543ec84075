"""Every rule, on documents with markers (`fixtures/rules/<code>.txt`)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from agentbench_lsp.language.diagnostics import all_rules, diagnose
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import apply_edits
from agentbench_lsp.language.finding import Finding, Severity
from agentbench_lsp.language.fix_all import fix_all
from agentbench_lsp.oracles.base import registered_specs
from tests.helpers.known import Known
from tests.helpers.markers import UPDATE, Fixture, mark, read_fixtures, write_fixtures

FOLDER = Path(__file__).parent / "fixtures" / "rules"
FIXTURES = [fixture for file in sorted(FOLDER.glob("*.txt")) for fixture in read_fixtures(file)]


def findings(fixture: Fixture, text: str) -> list[Finding]:
    # The name of a fixture may say what the file is called: `manifest.json: …`.
    path = fixture.name.partition(": ")[0] if ".json: " in fixture.name else "tasks/x.json"
    around = Known(fixture.sections("file"), path.rpartition("/")[2])
    return diagnose(Document(text, path), registered_specs(), around)


def fixed(fixture: Fixture, title: str) -> str:
    """The document after the first fix of this title."""
    fixes = [fix for finding in findings(fixture, fixture.text) for fix in finding.fixes if fix.title == title]
    assert fixes, f"no fix is called {title!r}"
    return apply_edits(fixture.text, fixes[0].edits)


def written(fixture: Fixture) -> str:
    """The fixture as it should be."""
    parts = [mark(fixture.text, findings(fixture, fixture.text))]
    parts += [f"-- file {name} --\n{text}" for name, text in fixture.sections("file").items()]
    parts += [f"-- fix {title} --\n{fixed(fixture, title)}" for title in fixture.sections("fix")]
    return "".join(parts)


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda f: f"{f.file.stem}-{f.name}")
def test_findings_and_fixes_are_as_the_fixture_shows(fixture: Fixture) -> None:
    if UPDATE:
        write_fixtures(fixture.file, {f.name: written(f) for f in read_fixtures(fixture.file)})
    else:
        assert written(fixture) == fixture.marked


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda f: f"{f.file.stem}-{f.name}")
def test_a_safe_fix_settles_its_finding_and_brings_no_error(fixture: Fixture) -> None:
    before = findings(fixture, fixture.text)
    for finding in before:
        for fix in finding.fixes:
            if not fix.safe:
                continue
            after = findings(fixture, apply_edits(fixture.text, fix.edits))
            assert Counter(f.code for f in after)[finding.code] < Counter(f.code for f in before)[finding.code]
            errors = {f.code for f in before if f.severity is Severity.ERROR}
            assert {f.code for f in after if f.severity is Severity.ERROR} <= errors


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda f: f"{f.file.stem}-{f.name}")
def test_fixing_all_ends_and_leaves_no_safe_fix(fixture: Fixture) -> None:
    path = fixture.name.partition(": ")[0] if ".json: " in fixture.name else "tasks/x.json"
    around = Known(fixture.sections("file"), path.rpartition("/")[2])
    document = fix_all(Document(fixture.text, path), registered_specs(), around)
    assert not [fix for f in findings(fixture, document.text) for fix in f.fixes if fix.safe]


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

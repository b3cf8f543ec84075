"""Code actions: fixes, silencing, fixing all, refactorings; what the document is after each."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.language.code_actions import Action, code_actions
from agentbench_lsp.language.diagnostics import diagnose, findings, view_of
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import apply_edits
from agentbench_lsp.language.fix_all import fix_all
from agentbench_lsp.language.rule_settings import RuleSettings
from agentbench_lsp.oracles.base import registered_specs
from tests.helpers.known import Known
from tests.language.typing_steps import FILES, TEXTS, edits

TASK = """{
  "id": "t", "name": "n", "description": "d", "prompt": "p",
  "workspace": { "a.py": "print(1)" },
  "oracles": [
    { "type": "test_must_pass", "command": "X=1 python -c 'assert (1)' && true", "timeout": 9 },
    {
      "type": "assertion_exists",
      "path": "a.py",
      "pattern": "print(1)"
    },
    { "type": "no_network" }
  ]
}
"""


def actions(text: str, start: int, end: int | None = None) -> list[Action]:
    view = view_of(Document(text, "tasks/t.json"), registered_specs(), Known({}, "t.json"))
    assert view is not None
    return list(code_actions(view, findings(view), start, start if end is None else end))


def after(text: str, selected: str, title: str) -> str:
    """The document once the action of this title has been chosen with this text selected."""
    start = text.index(selected)
    offered = actions(text, start, start + len(selected))
    assert title in [a.title for a in offered]
    return apply_edits(text, next(a for a in offered if a.title == title).edits)


def test_a_fix_knows_what_it_settles_and_whether_it_is_the_likely_one() -> None:
    offered = {a.title: a for a in actions(TASK, TASK.index('"print(1)"\n'))}
    fix = offered["Escape the pattern"]
    assert (fix.kind, fix.preferred, fix.finding and fix.finding.code) == ("quickfix", True, "unescaped-literal")
    assert json.loads(apply_edits(TASK, fix.edits))["oracles"][1]["pattern"] == "print\\(1\\)"


def test_a_rule_is_silenced_in_this_file() -> None:
    text = after(TASK, '"print(1)"\n', "Silence unescaped-literal in this file")
    assert json.loads(text)["ignore_rules"] == ["unescaped-literal"]
    assert "unescaped-literal" not in {f.code for f in diagnose(Document(text, "t.json"), registered_specs(), Known())}
    two = text.replace('["unescaped-literal"]', '["no-match-in-workspace"]')
    assert json.loads(after(two, '"print(1)"\n', "Silence unescaped-literal in this file"))["ignore_rules"] == [
        "no-match-in-workspace",
        "unescaped-literal",
    ]


def test_fix_all_applies_what_is_safe() -> None:
    offered = [a for a in actions(TASK, 0) if a.kind == "source.fixAll.agentbench"]
    assert [json.loads(apply_edits(TASK, a.edits))["oracles"][1]["pattern"] for a in offered] == ["print\\(1\\)"]


def test_escaping_a_selection() -> None:
    text = after(TASK.replace('"print(1)"\n', '"print[1]+"\n'), "[1]", "Escape the selection as regex")
    assert json.loads(text)["oracles"][1]["pattern"] == "print\\[1\\]+"


def test_protecting_a_file() -> None:
    text = after(TASK, '"a.py": "pr', "Protect this file: a.py")
    assert json.loads(text)["oracles"][-1] == {"type": "file_not_modified", "path": "a.py"}
    assert text.endswith('{ "type": "no_network" },\n    { "type": "file_not_modified", "path": "a.py" }\n  ]\n}\n')
    assert not [a for a in actions(text, text.index('"a.py"')) if a.title.startswith("Protect")]


def test_extracting_the_program_of_a_command() -> None:
    task = json.loads(after(TASK, "python -c", "Extract the program into the workspace file check.py"))
    assert task["workspace"]["check.py"] == "assert (1)\n"
    assert task["oracles"][0]["command"] == "X=1 python check.py && true"
    assert task["oracles"][-1] == {"type": "file_not_modified", "path": "check.py"}
    expanded = TASK.replace("'assert (1)'", '\\"$X\\"')
    assert not [a for a in actions(expanded, expanded.index("python -c")) if "Extract" in a.title]


def test_sorting_and_arranging_oracles() -> None:
    task = json.loads(after(TASK, '"no_network"', "Sort the oracles by type"))
    assert [o["type"] for o in task["oracles"]] == ["assertion_exists", "no_network", "test_must_pass"]
    one = after(TASK, '"no_network"', "Write each oracle on one line")
    assert '    { "type": "assertion_exists", "path": "a.py", "pattern": "print(1)" },\n' in one
    lines = after(TASK, '"no_network"', "Write each param on a line")
    assert '    {\n      "type": "no_network"\n    }\n' in lines
    for text in (one, lines):
        assert json.loads(text) == json.loads(TASK)


@given(st.sampled_from(FILES), st.integers(0, 100_000))
def test_every_action_at_every_place_is_sound(file, place) -> None:
    """Edits lie in the document and do not overlap; what is whole stays JSON."""
    whole = TEXTS[file]
    at = place % (len(whole) + 1)
    for text, start, _ in [(whole, at, at), *edits(whole, at)]:
        document = Document(text, file.as_posix())
        view = view_of(document, registered_specs(), Known({}, file.name))
        if view is None:
            continue
        for action in code_actions(view, findings(view), start, min(start + 3, len(text))):
            ordered = sorted(action.edits, key=lambda e: (e.start, e.end))
            assert all(0 <= e.start <= e.end <= len(text) for e in ordered)
            assert all(a.end <= b.start for a, b in pairwise(ordered))
            if not document.parsed.faults:
                json.loads(apply_edits(text, action.edits))


@given(st.sampled_from(FILES), st.integers(0, 100_000))
def test_safe_fixes_of_the_syntax_make_it_valid(file, place) -> None:
    whole = TEXTS[file]
    for text, _, _ in edits(whole, place % (len(whole) + 1)):
        document = Document(text, file.as_posix())
        found = diagnose(document, registered_specs())
        if any(fix.safe for f in found if f.code == "json-syntax" for fix in f.fixes):
            fixed = fix_all(document, registered_specs(), settings=RuleSettings(select=("json-syntax",)))
            assert not fixed.parsed.faults
            json.loads(fixed.text)


@given(st.sampled_from(FILES), st.integers(0, 100_000))
def test_fixing_all_is_done_once(file, place) -> None:
    whole = TEXTS[file]
    for text, _, _ in edits(whole, place % (len(whole) + 1)):
        once = fix_all(Document(text, file.as_posix()), registered_specs())
        assert fix_all(once, registered_specs()).text == once.text


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (RuleSettings(), {"unescaped-literal": "warning", "exit-code-hidden": None}),
        (RuleSettings(severity={"unescaped-literal": "error"}), {"unescaped-literal": "error"}),
        (RuleSettings(severity={"unescaped-literal": "off"}), {"unescaped-literal": None}),
        (RuleSettings(per_file={"tasks/*.json": ("unescaped-literal",)}), {"unescaped-literal": None}),
        (RuleSettings(per_file={"other/*.json": ("unescaped-literal",)}), {"unescaped-literal": "warning"}),
        (RuleSettings(ignore=("unescaped-literal",)), {"unescaped-literal": None}),
        (RuleSettings(select=("no-match-in-workspace",)), {"unescaped-literal": None}),
    ],
)
def test_severities(settings: RuleSettings, expected: dict[str, str | None]) -> None:
    document = Document(TASK, "tasks/t.json")
    found = diagnose(document, registered_specs(), Known(), settings, "tasks/t.json")
    severities = {f.code: f.severity.value for f in found}
    assert {code: severities.get(code) for code in expected} == expected

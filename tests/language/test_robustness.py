"""Half-written documents: no rule and no feature crashes, whatever is missing or superfluous."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.language.completion import complete
from agentbench_lsp.language.diagnostics import all_rules, view_of
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement
from agentbench_lsp.language.verdicts.oracle_failed import failures
from agentbench_lsp.oracles.base import registered_specs
from tests.conftest import TASKS
from tests.helpers.known import Known

FILES = sorted(TASKS.rglob("*.json"))
TEXTS = {file: file.read_text(encoding="utf-8") for file in FILES}


TYPED = st.text(st.sampled_from('{}[]:,"\\ \nx1'), max_size=2)


@given(st.sampled_from(FILES), st.integers(0, 20_000), TYPED, st.data())
def test_no_rule_crashes(file: Path, at: int, typed: str, data: st.DataObject) -> None:
    """The rules themselves, without the net that `diagnose` has under them."""
    whole = TEXTS[file]
    at = min(at, len(whole))
    rest = data.draw(st.sampled_from([whole[at:], whole[at + 1 :], ""]))
    document = Document(whole[:at] + typed + rest, "tasks/x.task.json")
    specs = registered_specs()
    view = view_of(document, specs, Known())
    for rule, check, _ in all_rules().values():
        if document.kind in rule.kinds:
            for finding in check(view):
                assert 0 <= finding.start <= finding.end <= len(document.text)
                assert finding.message
                for fix in finding.fixes:
                    assert all(0 <= edit.start <= edit.end <= len(document.text) for edit in fix.edits)
    complete(document, at + len(typed), specs)


@given(st.sampled_from(FILES), st.integers(0, 20_000))
def test_failures_survive_any_edit_elsewhere(file: Path, at: int) -> None:
    """A blank that is typed anywhere between two tokens moves a failure and does not lose it."""
    text = TEXTS[file]
    task = TaskDocument(Document(text, "tasks/x.task.json"), registered_specs())
    keys = task.oracle_keys
    judged = [Judgement(o.index, "t", keys[o.index], False, "failed", param="path") for o in task.oracles]
    at = text.find("\n", min(at, len(text) - 1))
    edited = TaskDocument(Document(text[:at] + "  \n" + text[at:], "tasks/x.task.json"), registered_specs())
    found = list(failures(edited, judged))
    assert [judgement.index for judgement, _ in found] == [judgement.index for judgement in judged]
    for _, finding in found:
        assert edited.document.text[finding.start : finding.end].startswith('"')

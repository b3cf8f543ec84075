"""Whatever a custom oracle puts into its details, the evaluation, its explanation and its report stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.explanation import explanation, warnings
from agentbench_lsp.gate.report.html_report import html_report
from agentbench_lsp.gate.report.json_report import report
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.models.task import OracleResult
from agentbench_lsp.oracles.base import FileOracle, register_oracle, registered_specs, unregister_oracle
from agentbench_lsp.server.judged import judgements
from tests.helpers.build import bash, task, task_dict, trajectory, write

KEYS = [
    *("violations", "warnings", "diff", "telling", "was", "became", "nearest", "blame", "baseline", "outcome"),
    *("stdout", "stderr", "sandbox", "command_run", "passes_untouched", "undecided", "path", "pattern"),
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3) | st.just({"step_index": 1}),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["step", "how", "step_index"]), inner),
    max_leaves=4,
)


class Odd(FileOracle):
    oracle_type = "odd"
    answer: tuple[bool, Any] = (False, {})

    def check_files(self, *_: Any) -> OracleResult:
        return OracleResult("odd", Odd.answer[0], "m", Odd.answer[1])


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    register_oracle(Odd)
    yield
    unregister_oracle("odd")


@given(st.booleans(), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4) | VALUES)
def test_nothing_falls_over(passed: bool, details: Any) -> None:
    Odd.answer = (passed, details)
    text = task_dict({"type": "odd"})
    judged, recorded = task({"type": "odd"}), trajectory(bash("ls"), write("a.txt", "x"))
    result = Evaluator().evaluate(judged, recorded)
    (found,) = result.oracle_results
    assert found.passed is passed
    assert all(isinstance(line, str) for line in [*explanation(found), *warnings(found)])
    assert html_report(judged, recorded, result, Catalogue())
    document = TaskDocument(Document(json.dumps(text), "t.task.json"), registered_specs())
    assert len(judgements(report([result]), document)) == 1

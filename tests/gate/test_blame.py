"""Which step and which param a failure is about."""

from __future__ import annotations

from typing import Any

import pytest

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.gate.blame import blame
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.runner.replay import replay
from tests.helpers.build import bash, exists, must_pass, task, trajectory, unmodified, write

WS = {"a.txt": "one\ntwo\n", "b.txt": "x"}
STEPS = [
    write("b.txt", "y"),
    write("a.txt", "one\ntwo\n# comment\n"),
    write("a.txt", "one\n"),
    bash("ls"),
    write("a.txt", "one\nthree\n"),
    write("b.txt", "z"),
    bash("curl x"),
]


@pytest.mark.parametrize(
    ("oracle", "step", "param"),
    [
        (exists("a.txt", "two"), 2, "pattern"),
        (unmodified("a.txt"), 1, "path"),
        (exists("a.txt", "never"), 4, "pattern"),
        (exists("gone.txt", "x"), None, "path"),
        (unmodified("gone.txt"), None, "path"),
        ({"type": "no_network"}, 6, None),
        (must_pass("false"), 5, "command"),
    ],
)
def test_blame(oracle: dict[str, Any], step: int | None, param: str | None) -> None:
    judged, recorded = task(oracle, workspace=WS), trajectory(*STEPS)
    result = Evaluator().evaluate(judged, recorded).oracle_results[0]
    assert not result.passed
    assert blame(judged, replay(judged.workspace, recorded), result, Catalogue()) == (step, param)

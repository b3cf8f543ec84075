"""`errored` is told apart from `failed`: an oracle that could not judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.explanation import state_of
from agentbench_lsp.gate.report.json_report import oracle_report
from tests.helpers.build import exists, must_pass, task, trajectory, unmodified


@pytest.mark.parametrize(
    ("oracle", "state"),
    [
        (exists("a.txt", "alpha"), "passed"),
        (exists("a.txt", "beta"), "failed"),
        (exists("a.txt", "("), "errored"),
        (unmodified("a.txt"), "passed"),
        (must_pass("false"), "failed"),
        (must_pass("sleep 5", timeout=1), "failed"),
        (must_pass("no-such-tool-here"), "errored"),
        (must_pass("python -m no_such_module_here"), "errored"),
    ],
)
def test_states(oracle: dict[str, object], state: str) -> None:
    (result,) = Evaluator().evaluate(task(oracle), trajectory()).oracle_results
    assert state_of(oracle_report(result)) == state


def test_a_custom_oracle_that_raises(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.agentbench]\noracles = ["o.py"]\n', encoding="utf-8")
    (tmp_path / "o.py").write_text(
        "from agentbench.oracles.base import OracleCheck, register_oracle\n\n\n"
        "@register_oracle\nclass Raises(OracleCheck):\n    oracle_type = 'raises'\n\n"
        "    def check(self, *_):\n        raise ValueError('no')\n",
        encoding="utf-8",
    )
    from agentbench_lsp.dsl.catalogue import Catalogue
    from agentbench_lsp.dsl.project import find_project

    evaluator = Evaluator(Catalogue(find_project(tmp_path)))
    (result,) = evaluator.evaluate(task({"type": "raises"}), trajectory()).oracle_results
    assert (state_of(oracle_report(result)), result.message) == ("errored", "the oracle raised ValueError: no")

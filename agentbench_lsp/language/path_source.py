"""Which workspace files an oracle is most likely about, the best first."""

from __future__ import annotations

import re

from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.models.paths import fold
from agentbench_lsp.oracles.base import Param
from agentbench_lsp.runner.shell_command import files_run
from agentbench_lsp.syntax.nodes import json_type

_TEST = re.compile(r"(^|[/_.-])(tests?|specs?|__tests__)([/_.-]|$)|(^|/)(test|check)[^/]*$", re.IGNORECASE)
_CONFIGURATION = re.compile(
    r"(^|/)(\.github/|\.gitlab|tox\.ini|pyproject\.toml|setup\.cfg|conftest\.py|package(-lock)?\.json|.*\.lock"
    r"|Makefile|Cargo\.toml|go\.(mod|sum)|requirements.*\.txt|.*\.ya?ml|\.\w+rc|.*\.cfg)|^LICENSE|^README|^CHANGELOG",
    re.IGNORECASE,
)


def is_test(path: str) -> bool:
    """True for a path that looks like a test's."""
    return bool(_TEST.search(path))


def useful_paths(task: TaskDocument, oracle: OracleView, param: Param) -> list[tuple[str, str]]:
    """`(path, why)` of every workspace file: tests first, those that are run before the rest.

    Last comes what another oracle protects already, and what is blank: no pattern can be found there.
    """
    run = {file.path for view in task.params("command") for file in files_run(view.node.value, task.folded_files)}
    taken = _protected(task, oracle)
    for_pattern = any(p.kind == "regex" for p in oracle.spec.params or ()) if oracle.spec else False
    ranked = []
    for order, file in enumerate(task.files):
        path = file.key.value
        if json_type(file.value) not in ("string", "missing"):
            continue
        folded = fold(path)
        if folded in taken:
            rank, why = 4, "protected already"
        elif for_pattern and not task.contents.get(path, "x").strip():
            rank, why = 5, "blank"
        elif is_test(folded):
            rank, why = (0, "test, run by a command") if folded in run else (1, "test")
        elif param.must_exist and _CONFIGURATION.search(folded):
            rank, why = 2, "configuration"
        else:
            rank, why = 3, "workspace file"
        ranked.append((rank, order, path, why))
    return [(path, why) for _, _, path, why in sorted(ranked)]


def _protected(task: TaskDocument, oracle: OracleView) -> set[str]:
    """Files that another oracle keeps as they are."""
    views = task.params("workspace_path")
    return {fold(view.node.value) for view in views if view.param.must_exist and view.oracle.node is not oracle.node}

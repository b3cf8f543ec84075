"""What is called plain has no structure error: the short cut before the schemas never hides one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.dsl import plain, structure
from agentbench_lsp.oracles.base import OracleSpec, Param, registered_specs
from tests.conftest import TASKS
from tests.helpers.build import exists, must_pass, task_dict, unmodified

KINDS = ("workspace_path", "regex", "command", "seconds", "string", "integer", "boolean", "string_list")
EVERY = OracleSpec("every", tuple(Param(kind, kind, required=False) for kind in KINDS))
SPECS = {**registered_specs(), "every": EVERY, "free": OracleSpec("free")}
ODD = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats()
    | st.sampled_from(["", " ", "\u2003", "\x85", "a", "(", "x*", "\t\n", "\x1c", "\ufeff", "no_network", "every"])
    | st.text(max_size=3)
    | st.lists(st.none() | st.text(max_size=2), max_size=2)
    | st.dictionaries(st.text(max_size=2), st.none() | st.text(max_size=2), max_size=2)
)
ORACLES = st.fixed_dictionaries(
    {"type": st.sampled_from(sorted(SPECS)) | ODD},
    optional=dict.fromkeys(("path", "pattern", "command", "timeout", *KINDS), ODD),
)


def errors_by_schema(monkeypatch: pytest.MonkeyPatch, check: str, *arguments: Any) -> list[Any]:
    with monkeypatch.context() as patch:
        for name in ("is_plain_task", "is_plain_trajectory", "is_plain_manifest"):
            patch.setattr(structure, name, lambda *_: False)
        found: list[Any] = getattr(structure, check)(*arguments)
    return found


def damaged(whole: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """The document with some of its fields replaced, or left out."""
    fields = st.dictionaries(st.sampled_from([*whole, "tags", "ignore_rules", "metadata", "extra"]), ODD, max_size=2)
    return st.tuples(fields, st.sets(st.sampled_from(sorted(whole)), max_size=1)).map(
        lambda change: {k: v for k, v in {**whole, **change[0]}.items() if k not in change[1]}
    )


WHOLE = task_dict(must_pass("true"), exists("a", "x"), unmodified("a.txt"))


@given(damaged(WHOLE), st.lists(ORACLES, max_size=3))
def test_tasks(task: dict[str, Any], more: list[Any]) -> None:
    if isinstance(task.get("oracles"), list):
        task = {**task, "oracles": [*task["oracles"], *more]}
    with pytest.MonkeyPatch.context() as patch:
        if plain.is_plain_task(task, SPECS):
            assert errors_by_schema(patch, "task_errors", task, SPECS) == []


STEPS = {"metadata": {"cwd": "/x"}, "steps": [{"tool": "x", "args": {}}, {"args": None}]}


@given(damaged(STEPS), st.lists(ODD, max_size=2))
def test_trajectories(trajectory: dict[str, Any], more: list[Any]) -> None:
    if isinstance(trajectory.get("steps"), list):
        trajectory = {**trajectory, "steps": [*trajectory["steps"], *more]}
    with pytest.MonkeyPatch.context() as patch:
        if plain.is_plain_trajectory(trajectory):
            assert errors_by_schema(patch, "trajectory_errors", trajectory) == []


@given(damaged({"description": "d", "task_files": ["a.json"], "task_subset": "b.json"}), st.lists(ODD, max_size=2))
def test_manifests(manifest: dict[str, Any], more: list[Any]) -> None:
    if isinstance(manifest.get("task_files"), list):
        manifest = {**manifest, "task_files": [*manifest["task_files"], *more]}
    with pytest.MonkeyPatch.context() as patch:
        if plain.is_plain_manifest(manifest):
            assert errors_by_schema(patch, "manifest_errors", manifest) == []


@pytest.mark.parametrize("file", sorted(TASKS.glob("[0-9]*.json")), ids=lambda p: p.stem)
def test_real_tasks_are_plain(file: Any) -> None:
    assert plain.is_plain_task(json.loads(file.read_text(encoding="utf-8")), SPECS)

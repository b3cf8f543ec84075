"""Validation: all errors of a document, each with its path and a stable code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.dsl import ValidationError, validate_manifest_dict, validate_task_dict, validate_trajectory_dict
from agentbench_lsp.models.task import EvalTask
from agentbench_lsp.runner.trajectory import Trajectory
from tests.helpers.build import task_dict


def errors(validate: Any, document: Any) -> list[tuple[str, str]]:
    try:
        validate(document)
    except ValidationError as exc:
        return [(e.path, e.code) for e in exc.errors if e.message]
    return []


def task_errors(*oracles: Any, **more: Any) -> list[tuple[str, str]]:
    return errors(validate_task_dict, task_dict(*oracles, **more))


def test_a_good_task() -> None:
    assert task_errors() == []
    assert task_errors({"type": "test_must_pass", "command": "x", "unknown": 1}, tags=["a"], extra=1) == []


def test_all_errors_at_once_in_the_order_of_the_document() -> None:
    found = task_errors(
        {"type": "assertion_exists", "path": "a.txt"},
        {"type": "nope"},
        {"type": "assertion_exists", "path": 1, "pattern": "("},
        7,
        {},
        id="",
        name=3,
        tags=["a", 2],
    )
    assert found == [
        ("id", "empty-value"),
        ("name", "wrong-type"),
        ("oracles[0].pattern", "missing-param"),
        ("oracles[1].type", "unknown-oracle-type"),
        ("oracles[2].path", "wrong-type"),
        ("oracles[2].pattern", "invalid-regex"),
        ("oracles[3]", "wrong-type"),
        ("oracles[4].type", "missing-oracle-type"),
        ("tags[1]", "wrong-type"),
    ]


@pytest.mark.parametrize("document", [None, [], "x", 3, True])
def test_a_document_that_is_no_object(document: object) -> None:
    for validate in (validate_task_dict, validate_trajectory_dict, validate_manifest_dict):
        assert errors(validate, document) == [("$", "wrong-type")]


@pytest.mark.parametrize(
    ("workspace", "expected"),
    [
        ({}, [("workspace", "empty-workspace")]),
        ([], [("workspace", "wrong-type")]),
        ({"a": 1}, [("workspace.a", "wrong-type")]),
        ({"/a": ""}, [('workspace["/a"]', "path-escapes-workspace")]),
        ({"../a": ""}, [('workspace["../a"]', "path-escapes-workspace")]),
        ({"C:\\a": ""}, [('workspace["C:\\\\a"]', "path-escapes-workspace")]),
        ({"a\0": ""}, [('workspace["a\\u0000"]', "invalid-path")]),
        ({"": ""}, [('workspace[""]', "invalid-path")]),
        ({"a/b": "", "a/./b": ""}, [('workspace["a/./b"]', "path-collision")]),
        ({"a": "", "a/b": ""}, [('workspace["a/b"]', "file-and-folder")]),
        ({"a": "\ud83d"}, [("workspace.a", "invalid-content")]),
    ],
)
def test_what_could_only_crash_later(workspace: Any, expected: list[tuple[str, str]]) -> None:
    document = {**task_dict(), "workspace": workspace}
    assert errors(validate_task_dict, document) == expected


def test_trajectories() -> None:
    assert errors(validate_trajectory_dict, {"steps": []}) == []
    assert errors(validate_trajectory_dict, {"steps": [{}, {"args": None}], "metadata": None}) == []
    assert errors(validate_trajectory_dict, {}) == [("steps", "missing-field")]
    assert sorted(errors(validate_trajectory_dict, {"steps": [{}, 1], "metadata": []})) == [
        ("metadata", "wrong-type"),
        ("steps[1]", "step-not-object"),
    ]


def test_manifests() -> None:
    assert errors(validate_manifest_dict, {"task_files": ["a.json"]}) == []
    assert errors(validate_manifest_dict, {"task_subset": "m.json"}) == []
    assert errors(validate_manifest_dict, {"task_files": ["a", 1]}) == [("task_files[1]", "wrong-type")]
    assert errors(validate_manifest_dict, {}) == [("task_files", "missing-field")]


def test_loading_adds_what_parsing_hides(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps(task_dict())[:-1] + ', "oracles": []}')
    with pytest.raises(ValidationError) as caught:
        EvalTask.from_file(file)
    assert [(e.path, e.code) for e in caught.value.errors] == [
        ("oracles", "duplicate-key"),
        ("oracles", "empty-oracles"),
    ]
    file.write_text('{"steps": [], "steps": []}')
    with pytest.raises(ValidationError):
        Trajectory.from_file(file)
    file.write_text("[" * 100_000)
    with pytest.raises(ValidationError):
        EvalTask.from_file(file)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
PARAMS = st.dictionaries(
    st.sampled_from(["type", "path", "pattern", "command", "timeout", "x"]),
    JSON | st.sampled_from(["a.txt", "no_network", "test_must_pass"]),
)


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(("id", "name", "description", "prompt", "tags"), JSON)),
    JSON | st.lists(PARAMS, max_size=3),
    JSON,
)
def test_no_document_is_too_odd(fields: dict[str, Any], oracles: Any, workspace: Any) -> None:
    """Any JSON is accepted or rejected, never a crash; what is accepted can be loaded and evaluated."""
    from agentbench_lsp.gate.evaluator import Evaluator
    from tests.helpers.build import trajectory

    document = {**task_dict(), **fields, "oracles": oracles, "workspace": workspace}
    if errors(validate_task_dict, document) == []:
        task = EvalTask.from_dict(document)
        if not any(oracle.type == "test_must_pass" for oracle in task.oracles):
            assert len(Evaluator().evaluate(task, trajectory()).oracle_results) == len(oracles)


@given(JSON | st.fixed_dictionaries({"steps": st.lists(JSON | st.fixed_dictionaries({"tool": JSON, "args": JSON}))}))
def test_no_trajectory_is_too_odd(document: Any) -> None:
    if errors(validate_trajectory_dict, document) == []:
        recorded = Trajectory.from_dict(document)
        recorded.file_edits()
        recorded.commands()
        recorded.touched_file("a")
        recorded.find_network_violations(["x"])

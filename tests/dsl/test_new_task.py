"""Oracles that suit the files of a new task."""

from __future__ import annotations

import json

import pytest

from agentbench_lsp.dsl.new_task import new_task, suggested_oracles
from agentbench_lsp.dsl.validator import validate_task_dict


def suggested(files: dict[str, str]) -> list[str]:
    return [" ".join(map(str, oracle.values())) for oracle in suggested_oracles(files)]


@pytest.mark.parametrize(
    ("files", "oracles"),
    [
        ({}, ["no_network"]),
        (
            {"src/a.py": "", "tests/test_a.py": "", "tests/__init__.py": "", "uv.lock": ""},
            [
                "test_must_pass python -m pytest -q tests/test_a.py 60",
                "file_not_modified tests/test_a.py",
                "file_not_modified tests/__init__.py",
                "file_not_modified uv.lock",
                "no_network",
            ],
        ),
        (
            {"a.js": "", "a.test.js": 'import test from "node:test";'},
            ["test_must_pass node --test a.test.js 60", "file_not_modified a.test.js", "no_network"],
        ),
        (
            {"a.test.ts": "", "package-lock.json": "{}"},
            [
                "test_must_pass npm test 60",
                "file_not_modified a.test.ts",
                "file_not_modified package-lock.json",
                "no_network",
            ],
        ),
        (
            {"go.mod": "", "a_test.go": "", ".github/workflows/ci.yml": ""},
            [
                "test_must_pass go test ./... 60",
                "file_not_modified a_test.go",
                "file_not_modified .github/workflows/ci.yml",
                "no_network",
            ],
        ),
        ({"docs/latest.md": "", "contest.py": ""}, ["no_network"]),
    ],
)
def test_suggestions(files: dict[str, str], oracles: list[str]) -> None:
    assert suggested(files) == oracles


def test_the_task_is_valid_and_keeps_its_files_as_they_are() -> None:
    files = {"a.txt": 'é\r\n\t"x"\\n', "tests/test_a.py": "assert True\n"}
    task = json.loads(new_task("two-words", files))
    validate_task_dict(task)
    assert task["workspace"] == files
    assert (task["id"], task["name"]) == ("two-words", "Two words")

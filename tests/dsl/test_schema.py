"""The published schema agrees with the validators, which are made of the same parts."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agentbench_lsp.dsl.schema import DocumentKind, document_schema, task_schema
from agentbench_lsp.oracles.base import OracleSpec, Param
from tests.helpers.build import task_dict


@pytest.mark.parametrize("kind", ["task", "trajectory", "manifest"])
def test_it_is_a_schema_of_its_draft(kind: DocumentKind) -> None:
    schema = document_schema(kind)
    assert schema["$schema"].endswith("2020-12/schema")
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("oracle", "valid"),
    [
        ({"type": "no_network"}, True),
        ({"type": "no_network", "x": 1}, True),
        ({"type": "nope"}, False),
        ({}, False),
        ({"type": "test_must_pass"}, False),
        ({"type": "test_must_pass", "command": " "}, False),
        ({"type": "test_must_pass", "command": "x", "timeout": 1.5}, True),
        ({"type": "test_must_pass", "command": "x", "timeout": -1}, False),
        ({"type": "assertion_exists", "path": "a", "pattern": 1}, False),
    ],
)
def test_oracles(oracle: dict[str, Any], valid: bool) -> None:
    assert Draft202012Validator(document_schema("task")).is_valid(task_dict(oracle)) is valid


def test_a_custom_oracle_is_in_it_with_its_docs() -> None:
    spec = OracleSpec("max_lines", (Param("limit", "integer", description="Most lines."),), "Counts lines.")
    text = str(task_schema([spec]))
    assert "Most lines." in text
    assert "Counts lines." in text
    assert "no_network" not in text

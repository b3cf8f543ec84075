"""The registry, and what a declaration gives."""

from __future__ import annotations

import pytest

from agentbench_lsp.dsl.validator import KNOWN_ORACLE_TYPES, ORACLE_REQUIRED_PARAMS
from agentbench_lsp.models.task import OracleResult
from agentbench_lsp.oracles.base import OracleCheck, Param, get_oracle, register_oracle, unregister_oracle

BUILT_IN = {
    "assertion_exists": ("path", "pattern"),
    "file_not_modified": ("path",),
    "no_network": (),
    "test_must_pass": ("command",),
}


def test_the_built_in_types() -> None:
    assert set(KNOWN_ORACLE_TYPES) == set(BUILT_IN)
    assert dict(ORACLE_REQUIRED_PARAMS) == BUILT_IN
    for name in BUILT_IN:
        spec = type(get_oracle(name)).spec()
        assert spec.doc
        assert all(param.description for param in spec.params or ())


def test_a_new_type_is_known_everywhere_at_once() -> None:
    @register_oracle
    class Custom(OracleCheck):
        """Doc."""

        oracle_type = "my_custom"
        params = (Param("a"), Param("b", required=False))

        def check(self, oracle, workspace, trajectory, initial_workspace):
            return OracleResult("my_custom", True)

    try:
        assert "my_custom" in KNOWN_ORACLE_TYPES
        assert ORACLE_REQUIRED_PARAMS["my_custom"] == ("a",)
        assert isinstance(get_oracle("my_custom"), Custom)
    finally:
        unregister_oracle("my_custom")
    assert "my_custom" not in KNOWN_ORACLE_TYPES


@pytest.mark.parametrize("name", ["nope", None, 3, ["no_network"], {}])
def test_an_unknown_type_is_a_value_error(name: object) -> None:
    with pytest.raises(ValueError, match="Unknown oracle type"):
        get_oracle(name)  # type: ignore[arg-type]


def test_a_taken_name_is_refused() -> None:
    with pytest.raises(ValueError, match="already registered"):

        @register_oracle
        class Other(OracleCheck):
            oracle_type = "no_network"

            def check(self, oracle, workspace, trajectory, initial_workspace):
                raise NotImplementedError

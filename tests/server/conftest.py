"""A server and a library's client, started anew for each test."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Union

import pytest
import pytest_lsp
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.helpers.bench import Bench
from tests.helpers.raw_client import QUIET, uri_of

_ASKED = (types.CLIENT_REGISTER_CAPABILITY, types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH)


def _action(value: Any, _: object) -> types.Command | types.CodeAction:
    """lsprotocol takes every action with a command for a bare command."""
    wanted = types.Command if isinstance(value.get("command"), str) else types.CodeAction
    return get_converter().structure(value, wanted)


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[sys.executable, "-m", "agentbench_lsp", "lsp", "--stdio"]),
)
async def bench_client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path):
    """A VS Code. `@pytest.mark.options(name=value)` gives initialization options."""
    for method in _ASKED:
        lsp_client.feature(method)(lambda *_: None)
    lsp_client.protocol._converter.register_structure_hook(Union[types.Command, types.CodeAction], _action)  # noqa: UP007 - this is how it is looked up
    marker = request.node.get_closest_marker("options")
    options = {"severity": QUIET, "workspaceDiagnostics": False, **(marker.kwargs if marker else {})}
    params = types.InitializeParams(
        capabilities=client_capabilities("visual-studio-code"),
        root_uri=uri_of(tmp_path),
        initialization_options=options,
    )
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def bench(bench_client: LanguageClient, tmp_path: Path) -> Bench:
    return Bench(bench_client, tmp_path)

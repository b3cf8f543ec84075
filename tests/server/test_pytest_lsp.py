"""The main job through a library's client, with the capabilities of real editors."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.conftest import TASKS
from tests.helpers.raw_client import QUIET, uri_of

ASKED_BY_THE_SERVER = (
    types.CLIENT_REGISTER_CAPABILITY,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
)
EDITORS = ["visual-studio-code", "neovim@v0.11", "emacs"]


@pytest_lsp.fixture(
    params=EDITORS,
    config=ClientServerConfig(server_command=[sys.executable, "-m", "agentbench_lsp", "lsp", "--stdio"]),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient):
    for method in ASKED_BY_THE_SERVER:
        lsp_client.feature(method)(lambda *_: None)
    params = types.InitializeParams(
        capabilities=client_capabilities(request.param),
        root_uri=uri_of(TASKS),
        initialization_options={"severity": QUIET, "workspaceDiagnostics": False},
    )
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, path: Path) -> str:
    uri = uri_of(path)
    item = types.TextDocumentItem(uri, "json", 1, path.read_text(encoding="utf-8"))
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return uri


async def diagnostics(client: LanguageClient, uri: str, number: int) -> list[types.Diagnostic]:
    """What the editor shows, pushed or pulled as the server chose, once there are `number` diagnostics."""
    async with asyncio.timeout(60):
        while len(found := client.diagnostics.get(uri, [])) != number:
            await client.text_document_completion_async(
                types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(0, 0))
            )
    return list(found)


async def test_the_main_job(client: LanguageClient) -> None:
    """Open a task, complete a param, evaluate against two recordings."""
    name = "09_changelog_release"  # no commands: it needs no other program
    task = await opened(client, TASKS / f"{name}.json")
    recordings = TASKS / "trajectories"

    items = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(task), types.Position(17, 18))
    )
    assert isinstance(items, list)
    assert "## [Unreleased]" in [item.label for item in items]  # a line of the file, as a pattern

    async def evaluate(recording: str) -> dict[str, object]:
        argument = {"task": task, "trajectory": uri_of(recordings / f"{name}.{recording}.json")}
        params = types.ExecuteCommandParams("agentbench.evaluate", [argument])
        return await client.workspace_execute_command_async(params)

    report = await evaluate("lost_unreleased")
    assert report["passed"] is False
    found = await diagnostics(client, task, 2)
    assert [d.code for d in found] == ["oracle-failed", "oracle-failed"]
    # The first is step 0's fault; no step ever wrote the file of the second.
    told = [bool(d.related_information) or "step 0 (" in d.message for d in found]
    assert told == [True, False]

    assert (await evaluate("pass"))["passed"] is True
    assert await diagnostics(client, task, 0) == []


async def test_the_recorded_tasks(client: LanguageClient, samples: Path) -> None:
    task = await opened(client, samples / "tasks" / "01_fix_failing_test_no_delete.json")
    recordings = samples / "tests" / "fixtures"
    verdicts = {}
    for name in ("regression", "pass"):
        argument = {"task": task, "trajectory": uri_of(recordings / f"trajectory_{name}.json")}
        params = types.ExecuteCommandParams("agentbench.evaluate", [argument])
        report = await client.workspace_execute_command_async(params)
        found = await diagnostics(client, task, 0 if report["passed"] else 2)
        verdicts[name] = (report["passed"], [(d.code, d.data["oracle_type"]) for d in found])
    assert verdicts == {
        "regression": (False, [("oracle-failed", "assertion_exists"), ("oracle-failed", "file_not_modified")]),
        "pass": (True, []),
    }


async def test_typing(client: LanguageClient) -> None:
    uri = "file:///x/tasks/new.json"
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "json", 1, '{"oracles": [{"type": ""}]}'))
    )
    items = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(0, 23))
    )
    assert isinstance(items, list)
    assert [i.label for i in items] == ["assertion_exists", "file_not_modified", "no_network", "test_must_pass"]
    assert {d.code for d in await diagnostics(client, uri, 6)} == {"missing-field", "missing-oracle-type"}


async def test_reading_moving_and_mending(client: LanguageClient) -> None:
    """The answers are what the editor's capabilities allow: pytest-lsp warns of everything else, and that fails."""
    path = TASKS / "08_inventory_reservations.json"
    document = types.TextDocumentIdentifier(await opened(client, path))
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next(i for i, text in enumerate(lines) if '"path": "inventory/model.py"' in text)
    at = types.Position(line, lines[line].index("inventory/model.py") + 3)
    shown = await client.text_document_hover_async(types.HoverParams(document, at))
    assert shown is not None
    assert "inventory/model.py" in str(shown.contents)
    assert await client.text_document_definition_async(types.DefinitionParams(document, at))
    context = types.ReferenceContext(include_declaration=True)
    found = await client.text_document_references_async(types.ReferenceParams(context, document, at))
    assert len(found or []) == 2
    edit = await client.text_document_rename_async(types.RenameParams(document, at, "inventory/things.py"))
    assert edit is not None
    assert await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    whole = types.Range(types.Position(0, 0), types.Position(len(lines), 0))
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, types.Range(at, at), types.CodeActionContext([]))
    )
    assert "Sort the oracles by type" in [action.title for action in actions or []]
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert "1 match" in [hint.label for hint in hints or []]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert tokens is not None
    assert tokens.data
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    assert await client.text_document_formatting_async(types.DocumentFormattingParams(document, options)) is not None

"""A library's client with a task and a trajectory, for tests of what evaluating shows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.helpers.build import task_dict
from tests.helpers.raw_client import uri_of

TIMEOUT = 30.0  # seconds; for a server that hangs, not a budget


class Bench:
    """`t.task.json` and `j.trajectory.json` in a folder, open in an editor. What is shown is waited for."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client, self.folder = client, folder
        self.task, self.trajectory = uri_of(folder / "t.task.json"), uri_of(folder / "j.trajectory.json")
        self.texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}

    # Documents

    def open(self, uri: str, value: object) -> str:
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        self.texts[uri], self._versions[uri] = text, 1
        self.client.diagnostics.pop(uri, None)
        item = types.TextDocumentItem(uri, "json", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return text

    def set_up(
        self, *oracles: dict[str, Any], steps: list[Any] | None = None, workspace: dict[str, str] | None = None
    ) -> str:
        """Open both documents, neither of them saved; the task's text."""
        self.open(self.trajectory, {"steps": steps or []})
        return self.open(self.task, task_dict(*oracles, workspace=workspace))

    def change(self, uri: str, text: str) -> None:
        self.texts[uri] = text
        self.client.diagnostics.pop(uri, None)  # those of the text before
        self._versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=self._versions[uri])
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    def replace(self, uri: str, old: str, new: str) -> None:
        assert old in self.texts[uri]
        self.change(uri, self.texts[uri].replace(old, new))

    def save(self, uri: str) -> None:
        """Write the text to disk and say so."""
        Path(uri.removeprefix("file://")).write_text(self.texts[uri], encoding="utf-8")
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    # Commands

    async def command(self, name: str, argument: object, token: str | None = None) -> Any:
        params = types.ExecuteCommandParams(f"agentbench.{name}", [argument], work_done_token=token)
        return await self.client.workspace_execute_command_async(params)

    async def evaluate(self, **more: Any) -> Any:
        """The results of the oracles."""
        report = await self.command("evaluate", {"task": self.task, "trajectory": self.trajectory, **more})
        return report["tasks"][0]["oracles"]

    # What is shown

    async def until(self, is_there: Callable[[], bool]) -> None:
        """Wait for something that the server does unasked."""
        async with asyncio.timeout(TIMEOUT):
            while not is_there():
                await self.round_trip()

    async def round_trip(self) -> None:
        where = types.CompletionParams(types.TextDocumentIdentifier(self.task), types.Position(0, 0))
        await self.client.text_document_completion_async(where)

    async def shown(self, uri: str, *codes: str) -> list[types.Diagnostic]:
        """The diagnostics of a document, once they have these codes, in any order."""

        def found() -> list[str] | None:
            shown = self.client.diagnostics.get(uri)
            return None if shown is None else sorted(str(d.code) for d in shown)

        try:
            await self.until(lambda: found() == sorted(codes))
        except TimeoutError:
            raise AssertionError(f"{found()} is shown, not {sorted(codes)}") from None
        return list(self.client.diagnostics.get(uri, []))

    def marked(self, uri: str, diagnostic: types.Diagnostic) -> str:
        """The text that a diagnostic stands on; it is in one line."""
        start, end = diagnostic.range.start, diagnostic.range.end
        assert start.line == end.line
        return self.texts[uri].splitlines()[start.line][start.character : end.character]

    async def actions(self, diagnostic: types.Diagnostic) -> dict[str, types.CodeAction]:
        """Code actions at a diagnostic of the task, by title."""
        context = types.CodeActionContext([diagnostic])
        params = types.CodeActionParams(types.TextDocumentIdentifier(self.task), diagnostic.range, context)
        found = await self.client.text_document_code_action_async(params)
        return {action.title: action for action in found or [] if isinstance(action, types.CodeAction)}

"""Texts that a client is asked to show although they are in no file: they get one, until the server ends."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_PATIENCE = 5.0  # seconds that a client has for its answer


class ShownFiles:
    """Files in a folder of the server's own. A client that shows no documents has what requests answer."""

    def __init__(self, server: AgentBenchServer) -> None:
        self._server = server
        self._folder: Path | None = None

    async def show_text(self, name: str, text: str, external: bool = False) -> bool:
        """Have a text shown, in the editor or outside of it; whether it is."""
        if not self._server.client.shows_documents:
            return False
        if self._folder is None:
            import tempfile

            self._folder = Path(tempfile.mkdtemp(prefix="agentbench-shown-"))
        path = self._folder / name
        path.write_text(text, encoding="utf-8", errors="replace", newline="")
        return await self._show(types.ShowDocumentParams(path.as_uri(), external=external, take_focus=not external))

    async def show_place(self, place: types.Location) -> bool:
        """Have a place in a document shown; whether it is."""
        if not self._server.client.shows_documents:
            return False
        return await self._show(types.ShowDocumentParams(place.uri, take_focus=True, selection=place.range))

    async def _show(self, params: types.ShowDocumentParams) -> bool:
        try:
            async with asyncio.timeout(_PATIENCE):
                answer = await self._server.window_show_document_async(params)
        except Exception:  # noqa: BLE001 - a client that does not show it is no fault of ours
            return False
        return answer.success

    def remove(self) -> None:
        """Remove them all."""
        if self._folder is not None:
            import shutil

            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

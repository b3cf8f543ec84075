"""Settings: asked for where the client can be asked, and again when they change."""

from __future__ import annotations

import asyncio
import gc
import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from agentbench_lsp.dsl import structure
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.configuration import SECTION
from agentbench_lsp.server.features.files import WATCHED

_IDLE = 0.3  # seconds after the start, when a client has what it asked for first
_log = logging.getLogger(__name__)


def register(server: AgentBenchServer) -> None:
    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        gc.freeze()  # what has been imported stays
        gc.enable()
        await _register_dynamically(server)
        await _pull(server)
        server.workspace_files.changed()
        asyncio.get_running_loop().call_later(_IDLE, structure.warm_up)
        asyncio.get_running_loop().call_later(_IDLE, server.warm_up)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def changed(params: types.DidChangeConfigurationParams) -> None:
        if server.client.configuration:
            await _pull(server)
        else:
            given = params.settings
            server.configure(given.get(SECTION, given) if isinstance(given, dict) else None)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(_params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.workspace_files.changed()


async def _pull(server: AgentBenchServer) -> None:
    if not server.client.configuration:
        return
    items = [types.ConfigurationItem(section=SECTION)]
    try:
        answer = await server.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as exc:
        _log.warning("the client does not tell its settings: %s", exc)
        return
    if answer and answer[0] is not None:
        server.configure(_plain(answer[0]))


def _plain(value: object) -> object:
    """pygls gives objects of unknown shape as named tuples."""
    if hasattr(value, "_asdict"):
        return {key: _plain(child) for key, child in value._asdict().items()}
    if isinstance(value, dict):
        return {key: _plain(child) for key, child in value.items()}
    return [_plain(child) for child in value] if isinstance(value, list) else value


async def _register_dynamically(server: AgentBenchServer) -> None:
    wanted = []
    if server.client.watches_files:
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(glob) for glob in WATCHED])
        wanted.append(types.Registration("watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if server.client.tells_configuration:
        section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        wanted.append(types.Registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if wanted:
        try:
            await server.client_register_capability_async(types.RegistrationParams(wanted))
        except JsonRpcException as exc:
            _log.warning("the client does not tell of changes: %s", exc)

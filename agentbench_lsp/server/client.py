"""What the client can do and what it asked for, read once from `initialize`."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

_POLL_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Client:
    """`pulls`: the client asks for diagnostics and can be told to ask again. `trusted`: commands may be run."""

    pulls: bool = False
    snippets: bool = False
    markdown: bool = False  # in completion items
    adjusts_indentation: bool = False  # of completion items of several lines
    resolves_documentation: bool = False  # of completion items, when it shows them
    related_information: bool = False
    diagnostic_data: bool = False  # it gives back `data` of diagnostics
    code_description: bool = False
    hover_markdown: bool = False
    symbol_tree: bool = False
    location_links: bool = False
    versioned_edits: bool = False
    code_action_literals: bool = False
    line_folding: bool = False
    configuration: bool = False  # it can be asked for its settings
    watches_files: bool = False
    tells_configuration: bool = False  # it can be asked to tell when settings change
    shows_documents: bool = False  # it can be told to open one
    progress: bool = False  # progress that the server begins
    refreshes: frozenset[str] = frozenset()  # methods: `workspace/…/refresh`
    trusted: bool = True
    syntax_elsewhere: frozenset[str] = frozenset()  # ids of languages of which it reports JSON's syntax itself
    wants_results: bool = False  # it is to be told when results have changed

    @classmethod
    def of(cls, params: types.InitializeParams) -> Client:
        """Initialization options: `trusted` (bool), `syntaxErrorsElsewhere` (language ids), `notifyResults` (bool).

        The others are settings: see `configuration`.
        """
        read = _Reader(params.capabilities)
        options = _options(params.initialization_options)
        elsewhere = options.get("syntaxErrorsElsewhere")
        can_pull = read.has("text_document.diagnostic")
        refreshes = {
            types.WORKSPACE_DIAGNOSTIC_REFRESH: "workspace.diagnostics.refresh_support",
            types.WORKSPACE_INLAY_HINT_REFRESH: "workspace.inlay_hint.refresh_support",
            types.WORKSPACE_CODE_LENS_REFRESH: "workspace.code_lens.refresh_support",
        }
        item = "text_document.completion.completion_item"
        publish = "text_document.publish_diagnostics"
        return cls(
            pulls=can_pull and read.has("workspace.diagnostics.refresh_support"),
            snippets=read.has(f"{item}.snippet_support"),
            markdown=read.lists(f"{item}.documentation_format", types.MarkupKind.Markdown),
            adjusts_indentation=read.lists(
                f"{item}.insert_text_mode_support.value_set", types.InsertTextMode.AdjustIndentation
            ),
            resolves_documentation=read.lists(f"{item}.resolve_support.properties", "documentation"),
            related_information=read.has(f"{publish}.related_information") or can_pull,
            diagnostic_data=read.has(f"{publish}.data_support") or read.has("text_document.diagnostic.data_support"),
            code_description=read.has(f"{publish}.code_description_support") or can_pull,
            hover_markdown=read.lists("text_document.hover.content_format", types.MarkupKind.Markdown),
            symbol_tree=read.has("text_document.document_symbol.hierarchical_document_symbol_support"),
            location_links=read.has("text_document.definition.link_support"),
            versioned_edits=read.has("workspace.workspace_edit.document_changes"),
            code_action_literals=read.has("text_document.code_action.code_action_literal_support"),
            line_folding=read.has("text_document.folding_range.line_folding_only"),
            configuration=read.has("workspace.configuration"),
            watches_files=read.has("workspace.did_change_watched_files.dynamic_registration"),
            tells_configuration=read.has("workspace.did_change_configuration.dynamic_registration"),
            shows_documents=read.has("window.show_document.support"),
            progress=read.has("window.work_done_progress"),
            refreshes=frozenset(method for method, path in refreshes.items() if read.has(path)),
            trusted=options.get("trusted") is not False,
            syntax_elsewhere=frozenset(map(str, elsewhere)) if isinstance(elsewhere, list) else frozenset(),
            wants_results=options.get("notifyResults") is True,
        )


class _Reader:
    """Reads capabilities, each level of which may be missing."""

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        self._capabilities = capabilities

    def _get(self, path: str) -> Any:
        value: Any = self._capabilities
        for name in path.split("."):
            value = getattr(value, name, None)
        return value

    def has(self, path: str) -> bool:
        value = self._get(path)
        return value is not None and value is not False

    def lists(self, path: str, item: object) -> bool:
        value = self._get(path)
        return isinstance(value, list | tuple) and item in value


def _options(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def watch_process(process_id: int, on_death: Callable[[], None]) -> None:
    """Call `on_death` in the event loop when a process ends. A process that cannot be seen is not watched."""
    loop = asyncio.get_running_loop()
    try:
        fd = os.pidfd_open(process_id)
    except AttributeError:
        if _is_alive(process_id):
            loop.call_later(_POLL_SECONDS, _poll, process_id, on_death)
    except OSError:
        pass
    else:
        loop.add_reader(fd, _died, fd, on_death)


def _died(fd: int, on_death: Callable[[], None]) -> None:
    asyncio.get_running_loop().remove_reader(fd)
    os.close(fd)
    on_death()


def _poll(process_id: int, on_death: Callable[[], None]) -> None:
    if _is_alive(process_id):
        asyncio.get_running_loop().call_later(_POLL_SECONDS, _poll, process_id, on_death)
    else:
        on_death()


def _is_alive(process_id: int) -> bool:
    if os.name == "nt":  # pragma: no cover - signal 0 would end the process there
        return True
    with contextlib.suppress(PermissionError):
        try:
            os.kill(process_id, 0)
        except ProcessLookupError:
            return False
    return True

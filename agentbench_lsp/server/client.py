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
    related_information: bool = False
    trusted: bool = True
    syntax_errors: bool = True

    @classmethod
    def of(cls, params: types.InitializeParams) -> Client:
        """Initialization options: `trusted` (bool), `syntaxErrors` (bool: report `json-syntax`)."""
        text, workspace = params.capabilities.text_document, params.capabilities.workspace
        can_pull = bool(text and text.diagnostic)
        can_refresh = bool(workspace and workspace.diagnostics and workspace.diagnostics.refresh_support)
        item = text.completion.completion_item if text and text.completion else None
        publish = text.publish_diagnostics if text else None
        options = _options(params.initialization_options)
        return cls(
            pulls=can_pull and can_refresh,
            snippets=bool(item and item.snippet_support),
            markdown=bool(item and types.MarkupKind.Markdown in (item.documentation_format or ())),
            adjusts_indentation=bool(
                item
                and item.insert_text_mode_support
                and types.InsertTextMode.AdjustIndentation in item.insert_text_mode_support.value_set
            ),
            related_information=bool(publish and publish.related_information) or can_pull,
            trusted=options.get("trusted") is not False,
            syntax_errors=options.get("syntaxErrors") is not False,
        )


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

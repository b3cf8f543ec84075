"""The protocol layer: what pygls leaves unanswered is answered here, and nothing a client sends ends the server."""

from __future__ import annotations

import asyncio
import enum
import json
import logging
from collections.abc import Generator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import cattrs
from lsprotocol import converters, types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method

from agentbench_lsp.server.documents import Documents

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_log = logging.getLogger(__name__)
INVALID_REQUEST, NOT_INITIALIZED, INVALID_PARAMS, INTERNAL_ERROR = -32600, -32002, -32602, -32603

command_token: ContextVar[types.ProgressToken | None] = ContextVar("command_token", default=None)
"""The token that the client shows the progress of the command with that runs in this context."""


def lenient_converter() -> cattrs.Converter:
    """lsprotocol's converter, but for enum members of later LSP versions, which stay what they are."""
    converter: cattrs.Converter = converters.get_converter()

    def structure(value: Any, cls: type[enum.Enum]) -> Any:
        try:
            return cls(value)
        except ValueError:
            return value

    for name in dir(types):
        cls = getattr(types, name)
        if isinstance(cls, type) and issubclass(cls, enum.Enum):
            converter.register_structure_hook(cls, structure)
    return converter


class Protocol(LanguageServerProtocol):
    """pygls' protocol with every request answered, documents of our own, and the exit codes of the specification."""

    _server: AgentBenchServer

    def __init__(self, server: AgentBenchServer, converter: cattrs.Converter) -> None:
        self.documents = Documents()
        self.on_exit = asyncio.Event()
        super().__init__(server, converter)

    @property
    def exit_code(self) -> int:
        """0 after `shutdown`, 1 otherwise."""
        return 0 if self._shutdown else 1

    def client_died(self) -> None:
        """Nobody is left to send `exit`."""
        self.on_exit.set()

    # In

    def structure_message(self, data: dict[str, Any]) -> Any:
        return data  # called for every object of a message; only the outermost is one

    def handle_message(self, message: Any) -> None:
        """Handle a parsed message."""
        if isinstance(message, list):
            self._refuse_batch(message)
            return
        if not isinstance(message, dict):
            self.refuse(None, INVALID_REQUEST, "a message is a JSON object")
            return
        request_id, method = message.get("id"), message.get("method")
        is_request = method is not None and "id" in message
        if is_request and self._shutdown:
            self.refuse(request_id, INVALID_REQUEST, "the server has been shut down")
        elif is_request and self._workspace is None and method != types.INITIALIZE:
            self.refuse(request_id, NOT_INITIALIZED, "the server has not been initialized")
        elif is_request and self._workspace is not None and method == types.INITIALIZE:
            self.refuse(request_id, INVALID_REQUEST, "the server has been initialized already")
        elif method is None and "id" not in message:
            self.refuse(None, INVALID_REQUEST, "the message has neither a method nor an id")
        elif method == types.EXIT:
            self.on_exit.set()
        else:
            self._structure_and_handle({"params": None, **message, "jsonrpc": "2.0"}, is_request)

    def _structure_and_handle(self, message: dict[str, Any], is_request: bool) -> None:
        if "method" not in message:
            message.pop("params")
        try:
            structured = super().structure_message(message)
        except JsonRpcException as exc:
            reason = _reason(exc.__cause__ or exc)
            if is_request:
                self.refuse(message["id"], INVALID_PARAMS, f"invalid params of {message['method']}: {reason}")
            else:
                _log.error("%s cannot be understood: %s", message.get("method", "an answer"), reason)
            return
        super().handle_message(structured)

    def _refuse_batch(self, messages: list[Any]) -> None:
        ids = [m["id"] for m in messages if isinstance(m, dict) and "id" in m and "method" in m]
        for request_id in ids or [None]:
            self.refuse(request_id, INVALID_REQUEST, "LSP has no batches of messages; send them one by one")

    # Out

    def refuse(self, request_id: Any, code: int, message: str) -> None:
        """Answer a request with an error."""
        answer_id = request_id if isinstance(request_id, str | int) else None
        self._send_data(
            {"jsonrpc": "2.0", "id": answer_id, "error": {"code": code, "message": message}},
        )

    def _send_data(self, data: Any) -> None:
        """As pygls', but a result that is no JSON is answered with an error, and bodies are not logged."""
        if self.writer is None:
            return
        try:
            body = json.dumps(data, default=self._serialize_message)
        except (TypeError, ValueError, AttributeError, RecursionError) as exc:
            _log.exception("a message cannot be sent")
            request_id = getattr(data, "id", None)
            if request_id is not None and not hasattr(data, "method"):
                self.refuse(request_id, INTERNAL_ERROR, f"the answer cannot be written as JSON: {_reason(exc)}")
            return
        content = body.encode("utf-8")
        try:
            self.writer.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        except (OSError, ValueError):  # nobody reads any more
            self.client_died()

    # Life cycle

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel what is running. (pygls' own loses its way when that changes its table of requests.)"""
        own = self.msg_id
        for request_id, future in list(self._request_futures.items()):
            if request_id != own and not future.done():
                future.cancel()
        self._shutdown = True
        yield from ()

    # Documents: the store is ours

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        item = params.text_document
        self.documents.open(item.uri, item.text, item.version, item.language_id)
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        item = params.text_document
        self.documents.change(item.uri, item.version, params.content_changes)
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        self.documents.close(params.text_document.uri)
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    # Commands: a coroutine of the request itself, so that cancelling the request cancels the work

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """Run a command with its arguments as plain JSON values."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        command_token.set(params.work_done_token)
        return await handler(*(params.arguments or []))


class _OnlyFaults(logging.Filter):
    """An error that is the answer to a request is no fault of the server: pygls logs it with a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))


logging.getLogger("pygls.protocol.json_rpc").addFilter(_OnlyFaults())


def _reason(exc: BaseException) -> str:
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    text = str(exc)
    if isinstance(exc, KeyError):
        text = f"{text} is missing"
    return text[:300] or type(exc).__name__

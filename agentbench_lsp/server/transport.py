"""Messages in and out of two byte streams, and the end of the process.

The streams are the server's own: with stdio, fd 1 is pointed at stderr and fd 0 at nothing, so that no stray print or
child can break the protocol. A thread of its own reads, whatever the event loop and its handlers do.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from pygls.io_ import StdoutWriter

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_log = logging.getLogger(__name__)
_MAX_HEADER_LINE = 1 << 12


def serve_stdio(server: AgentBenchServer) -> None:
    """Serve on stdin and stdout; ends the process."""
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    serve(server, reader, writer)


def serve_tcp(server: AgentBenchServer, host: str, port: int) -> None:
    """Listen, serve the first client that connects, end the process with it. The address goes to stderr."""
    with socket.create_server((host, port)) as listener:
        bound = listener.getsockname()
        print(f"agentbench-lsp listens on {bound[0]}:{bound[1]}", file=sys.stderr, flush=True)  # noqa: T201
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    serve(server, connection.makefile("rb"), connection.makefile("wb"))


def serve(server: AgentBenchServer, reader: BinaryIO, writer: BinaryIO) -> None:
    """Handle messages until `exit` or the end of the stream, then end the process with the code LSP asks for."""
    server.protocol.set_writer(StdoutWriter(writer))
    try:
        asyncio.run(_main(server, reader))
    except (BrokenPipeError, ConnectionError, KeyboardInterrupt, SystemExit):
        pass
    except Exception:  # noqa: BLE001 - whatever it was, the process ends with its exit code
        _log.exception("the server stops")
    logging.shutdown()
    os._exit(server.protocol.exit_code)  # not sys.exit: a thread that is busy must not keep the process alive


async def _main(server: AgentBenchServer, reader: BinaryIO) -> None:
    loop = asyncio.get_running_loop()
    messages: asyncio.Queue[bytes | None] = asyncio.Queue()

    def read() -> None:
        try:
            while (body := read_message(reader)) is not None:
                loop.call_soon_threadsafe(messages.put_nowait, body)
        except (OSError, ValueError) as exc:
            _log.error("the client's messages cannot be read: %s", exc)
        loop.call_soon_threadsafe(messages.put_nowait, None)

    threading.Thread(target=read, name="reader", daemon=True).start()
    ended = asyncio.ensure_future(server.protocol.on_exit.wait())
    while not ended.done():
        arrived = asyncio.ensure_future(messages.get())
        await asyncio.wait({arrived, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not arrived.done() or (body := arrived.result()) is None:
            break
        _handle(server, body)
        if server.protocol.on_exit.is_set():
            break
    await server.stop_work()


def _handle(server: AgentBenchServer, body: bytes) -> None:
    try:
        message: Any = json.loads(body)
    except (ValueError, RecursionError) as exc:
        server.protocol.refuse(None, -32700, f"the message is no JSON: {type(exc).__name__}")
        return
    try:
        server.protocol.handle_message(message)
    except BrokenPipeError:
        raise
    except Exception:  # noqa: BLE001 - one message must not end the server
        _log.exception("a message could not be handled")


def read_message(reader: BinaryIO) -> bytes | None:
    """The body of the next message; None at the end of the stream. Raises ValueError for a stream that is no LSP."""
    length = None
    while True:
        line = reader.readline(_MAX_HEADER_LINE)
        if not line:
            return None
        if not line.strip():
            if length is None:
                continue  # blank lines between messages
            body = reader.read(length)
            return body if len(body) == length else None
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)

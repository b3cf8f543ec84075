"""On the wire: every request is answered, whatever it holds, and nothing ends the server but its end."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.raw_client import SERVER, RawClient

URI = "file:///x/tasks/t.json"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}
AT = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


@pytest.fixture(scope="module")
def client() -> Iterator[RawClient]:
    with RawClient() as client:
        client.initialize()
        yield client


def error_code(answer: dict[str, Any]) -> int:
    assert answer["error"]["message"]
    code: int = answer["error"]["code"]
    return code


@pytest.mark.parametrize(
    "params", [{"textDocument": {"uri": URI}}, {}, [], None, 7, "x", {"textDocument": 3, "position": []}]
)
def test_malformed_params(client: RawClient, params: object) -> None:
    assert error_code(client.request("textDocument/completion", params)) == -32602


def test_an_unknown_method(client: RawClient) -> None:
    assert error_code(client.request("textDocument/nonsense", {})) == -32601


@pytest.mark.parametrize(
    "arguments",
    [[], [1, 2], [{"jsonrpc": "2.0", "method": "x", "id": 3}], [{"task": {"jsonrpc": "2.0"}}], [None], ["x"], [[]]],
)
def test_a_command_with_odd_arguments(client: RawClient, arguments: list[Any]) -> None:
    params = {"command": "agentbench.evaluate", "arguments": arguments}
    assert error_code(client.request("workspace/executeCommand", params)) == -32602
    assert (
        error_code(client.request("workspace/executeCommand", {"command": "nonsense", "arguments": arguments}))
        == -32602
    )


def test_a_batch(client: RawClient) -> None:
    client.send([{"jsonrpc": "2.0", "id": "b1", "method": "textDocument/hover", "params": AT}])
    answer = client.unasked()
    assert (answer["id"], error_code(answer)) == ("b1", -32600)
    client.send([])
    assert error_code(client.unasked()) == -32600


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"{", -32700), (b"\xff", -32700), (b"[" * 100_000, -32700), (b"3", -32600), (b"null", -32600), (b"{}", -32600)],
)
def test_what_is_no_message(client: RawClient, body: bytes, code: int) -> None:
    client.raw(body)
    answer = client.unasked()
    assert (answer["id"], error_code(answer)) == (None, code)


def test_a_message_without_its_version(client: RawClient) -> None:
    client.send({"id": "v", "method": "textDocument/completion", "params": AT})
    assert client.unasked() == {"jsonrpc": "2.0", "id": "v", "result": []}


def test_odd_notifications_are_survived(client: RawClient) -> None:
    for params in (
        {},
        [],
        {"textDocument": None},
        {"textDocument": {"uri": URI, "version": 1}, "contentChanges": [{"range": 3}]},
    ):
        for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest"):
            client.notify(method, params)
    client.change("file:///never/opened.json", 2, {"text": "x"})
    assert client.request("textDocument/completion", AT)["result"] == []


def test_a_second_initialize_is_refused(client: RawClient) -> None:
    assert error_code(client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})) == -32600


def test_headers_in_other_spellings(client: RawClient) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": "h", "method": "textDocument/completion", "params": AT}).encode()
    client.stdin.write(
        b"content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:%d\r\n\r\n" % len(body) + body
    )
    client.stdin.flush()
    assert client.unasked()["result"] == []


def test_stdout_holds_nothing_but_messages(client: RawClient) -> None:
    assert client.junk == []


def test_a_result_that_is_no_json_is_an_error() -> None:
    """In the same process: only a fault of ours could produce one."""
    from agentbench_lsp.server.app import create_server

    class Writer:
        data = b""

        def write(self, data: bytes) -> None:
            self.data += data

        def close(self) -> None: ...

    server, writer = create_server(), Writer()
    server.protocol.set_writer(writer)
    server.protocol._send_response(5, result={1, 2})
    answer = json.loads(writer.data.partition(b"\r\n\r\n")[2])
    assert (answer["id"], answer["error"]["code"]) == (5, -32603)


def test_before_initialize_and_after_shutdown() -> None:
    with RawClient() as client:
        assert error_code(client.request("textDocument/completion", AT)) == -32002
        client.initialize()
        client.request("shutdown")
        assert error_code(client.request("textDocument/completion", AT)) == -32600
        client.notify("exit")
        assert client.wait() == 0


@pytest.mark.parametrize(
    "more",
    [
        {"trace": "everything"},
        {"capabilities": {"textDocument": {"completion": {"completionItemKind": {"valueSet": [1, 99]}}}}},
        {"capabilities": {"general": {"positionEncodings": ["utf-7", "utf-16"]}}},
        {
            "capabilities": {
                "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["x.y"]}}}}
            }
        },
        {"capabilities": {"workspace": {"symbol": {"symbolKind": {"valueSet": [777]}}}, "future": {"a": 1}}},
        {"initializationOptions": "nonsense"},
        {"processId": 3_999_999},
        {"workspaceFolders": [{"uri": "untitled:x", "name": "x"}]},
    ],
)
def test_initialize_with_what_later_clients_send(more: dict[str, Any]) -> None:
    with RawClient() as client:
        params = {"processId": None, "rootUri": None, "capabilities": {}, **more}
        assert client.request("initialize", params)["result"]["capabilities"]
        assert client.shutdown() == 0


def test_exit_without_shutdown() -> None:
    with RawClient() as client:
        client.initialize()
        client.notify("exit")
        assert client.wait() == 1


def test_the_end_of_the_stream() -> None:
    with RawClient() as client:
        client.initialize()
        client.stdin.close()
        assert client.wait() == 1


def test_the_end_of_the_client() -> None:
    with subprocess.Popen(["sleep", "600"]) as parent, RawClient() as client:
        client.request("initialize", {"processId": parent.pid, "rootUri": None, "capabilities": {}})
        parent.kill()
        parent.wait()
        assert client.wait() == 1


def test_a_client_that_closes_its_end_of_stdout() -> None:
    with subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdin
        assert server.stdout
        server.stdout.close()
        body = json.dumps(INITIALIZE).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        server.stdin.flush()
        assert server.wait(20) == 1  # although its stdin is still open


def test_an_answer_does_not_wait_for_a_large_document() -> None:
    """Opening 5 MB is read, checked and answered; what was asked meanwhile too."""
    with RawClient() as client:
        client.initialize()
        content = json.dumps("line\n" * 1000)
        files = ",\n".join(f'"f{i}.txt": {content}' for i in range(850))
        client.open(URI, '{"workspace": {' + files + '},\n"oracles": [{"type": "nope"}]}')
        started = time.monotonic()
        assert client.request("textDocument/completion", AT)["result"] == []
        assert [d["code"] for d in client.diagnostics(URI)].count("unknown-oracle-type") == 1
        assert time.monotonic() - started < 10  # a limit for hanging, not a budget


def test_tcp() -> None:
    import re
    import socket
    import sys

    command = [sys.executable, "-m", "agentbench_lsp", "lsp", "--tcp", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
        assert server.stderr
        match = re.search(rb":(\d+)$", server.stderr.readline().strip())
        assert match
        with socket.create_connection(("127.0.0.1", int(match[1]))) as connection, connection.makefile("rwb") as stream:
            body = json.dumps(INITIALIZE).encode()
            stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            stream.flush()
            length = int(stream.readline().split(b":")[1])
            stream.readline()
            assert json.loads(stream.read(length))["result"]["serverInfo"]["name"] == "agentbench-lsp"
        assert server.wait(20) == 1


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999"])
def test_a_bad_address(address: str) -> None:
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "agentbench_lsp", "lsp", "--tcp", address], capture_output=True, check=False
    )
    assert done.returncode == 2


NOISY = """
import os, subprocess, sys
import agentbench_lsp.server.features.completion as completion
from agentbench_lsp.cli.main import lsp_main

original = completion.complete_in

def noisy(*arguments):
    print("printed")
    sys.stdout.write("written")
    sys.stdout.flush()
    os.write(1, b"to fd 1")
    subprocess.run(["sh", "-c", "echo child; cat"], check=True)
    return original(*arguments)

completion.complete_in = noisy
sys.argv = ["agentbench-lsp"]
lsp_main()
"""


def test_whatever_prints_in_the_server_does_not_reach_the_client() -> None:
    with RawClient([sys.executable, "-c", NOISY]) as client:
        client.initialize()
        client.open(URI, "")
        items = client.request("textDocument/completion", AT)["result"]
        assert [item["label"] for item in items] == ["task"]
        assert client.shutdown() == 0
        assert client.junk == []


def test_faults_are_answered_and_logged_not_shown_to_the_user() -> None:
    crash = NOISY.replace("    return original(*arguments)\n", "    raise RuntimeError('boom')\n")
    with RawClient([sys.executable, "-c", crash]) as client:
        client.initialize()
        client.open(URI, "")
        assert error_code(client.request("textDocument/completion", AT)) == -32603
        client.notify("textDocument/didChange", {"textDocument": 3})
        assert client.shutdown() == 0
        shown = []
        while not client.notifications.empty():
            shown.append(client.notifications.get()["method"])
        assert set(shown) <= {"textDocument/publishDiagnostics"}
        assert "boom" in client.stderr()

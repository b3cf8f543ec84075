"""An LSP client that knows only the wire: it can send what no library would, and sees every byte that comes back."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from agentbench_lsp.language.diagnostics import all_rules
from agentbench_lsp.language.finding import Severity

QUIET = {
    code: "off" for code, known in all_rules().items() if known.rule.severity in (Severity.INFORMATION, Severity.HINT)
}
TIMEOUT = 60.0  # seconds; for a server that hangs, not a budget
SERVER = [sys.executable, "-m", "agentbench_lsp", "lsp"]


class RawClient:
    """Starts a server and talks to it. Use in `with`; the process is killed at the end."""

    def __init__(
        self,
        command: list[str] | None = None,
        env: dict[str, str] | None = None,
        answers: dict[str, Any] | None = None,  # to requests of the server, by method
    ) -> None:
        self.replies = {"workspace/configuration": [None], **(answers or {})}
        self.seen: list[dict[str, Any]] = []  # every notification
        self.process = subprocess.Popen(
            command or SERVER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.junk: list[bytes] = []
        self.notifications: queue.Queue[dict[str, Any]] = queue.Queue()
        self.requests: list[str] = []
        self._answers: dict[Any, queue.Queue[dict[str, Any]]] = {}
        self._unasked: queue.Queue[dict[str, Any]] = queue.Queue()
        self._id = 0
        threading.Thread(target=self._read, daemon=True).start()
        self._stderr: list[bytes] = []
        threading.Thread(target=self._read_stderr, daemon=True).start()

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def _read_stderr(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self._stderr.append(line)

    def _read(self) -> None:
        while header := self.stdout.readline():
            if not header.startswith(b"Content-"):
                self.junk.append(header)
                continue
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name == b"Content-Length" else length
                header = self.stdout.readline()
            message = json.loads(self.stdout.read(length))
            if "method" in message and "id" in message:
                self.requests.append(message["method"])
                reply = self.replies.get(message["method"])
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": reply})
            elif "method" in message:
                self.seen.append(message)
                self.notifications.put(message)
            else:
                self._answers.get(message["id"], self._unasked).put(message)

    # Sending

    def raw(self, body: bytes) -> None:
        self.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.stdin.flush()

    def send(self, message: object) -> None:
        self.raw(json.dumps(message).encode())

    def notify(self, method: str, params: object = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params if params is not None else {}})

    def start(self, method: str, params: object = None) -> int:
        """Send a request without waiting; its id."""
        self._id += 1
        self._answers[self._id] = queue.Queue()
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return self._id

    def answer(self, request_id: int, timeout: float = TIMEOUT) -> dict[str, Any]:
        return self._answers[request_id].get(timeout=timeout)

    def request(self, method: str, params: object = None, timeout: float = TIMEOUT) -> dict[str, Any]:
        """The whole answer, with `result` or `error`."""
        return self.answer(self.start(method, params), timeout)

    def unasked(self) -> dict[str, Any]:
        """The next answer to no request of ours (`id: null`)."""
        return self._unasked.get(timeout=TIMEOUT)

    def stderr(self) -> str:
        """What the server has logged so far."""
        return b"".join(self._stderr).decode("utf-8", "replace")

    # Conveniences

    def initialize(self, capabilities: object = None, **more: Any) -> dict[str, Any]:
        """Rules that only inform are off, unless a test asks for them: what is tested here is how findings travel."""
        options = {"severity": QUIET, **more.pop("initializationOptions", {})}
        params = {
            "processId": os.getpid(),
            "rootUri": None,
            "capabilities": capabilities or {},
            "initializationOptions": options,
            **more,
        }
        answer = self.request("initialize", params)
        self.notify("initialized")
        return answer

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "json", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The next diagnostics that are published for a document."""
        while True:
            message = self.notifications.get(timeout=TIMEOUT)
            if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                found: list[dict[str, Any]] = message["params"]["diagnostics"]
                return found

    def evaluate(self, task: str, trajectory: str, **more: object) -> dict[str, Any]:
        argument = {"task": task, "trajectory": trajectory, **more}
        return self.request("workspace/executeCommand", {"command": "agentbench.evaluate", "arguments": [argument]})

    def wait(self) -> int:
        """The exit code, once the process has ended."""
        return self.process.wait(TIMEOUT)

    def shutdown(self) -> int:
        self.request("shutdown")
        self.notify("exit")
        return self.wait()


def uri_of(path: Path) -> str:
    return path.absolute().as_uri()

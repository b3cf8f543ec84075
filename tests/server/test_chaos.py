"""Fifty evaluations with random cancels, kills and edits leave no process, no temporary folder, no stale diagnostic."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import pytest

from agentbench_lsp.runner.process_tree import marked
from tests.helpers.build import exists, must_pass, task_dict, unmodified, write
from tests.helpers.raw_client import RawClient, uri_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
MARK = "AGENTBENCH_CHAOS"
COMMANDS = [
    "true",
    "false",
    "sleep 300",
    "sleep 300 & setsid sleep 300 & sleep 300",
    "yes | head -c 3000000",
    "trap '' TERM INT; sleep 300",
    "kill -9 $PPID; sleep 300",  # the worker itself
]
PATIENCE = 20.0  # seconds
CODES = [["oracle-failed", "passes-with-warning"]] * 2 + [["step-broke-oracle"]]
CAPABILITIES = {"window": {"workDoneProgress": True}}


class Chaos:
    """A client that does one random thing after the other, to two tasks and the trajectory of both."""

    def __init__(self, client: RawClient, folder: Path, seed: int) -> None:
        self.client, self.random = client, random.Random(seed)
        self.tasks = [uri_of(folder / f"{name}.task.json") for name in "ab"]
        self.trajectory = uri_of(folder / "j.trajectory.json")
        self.versions: dict[str, int] = {}
        self.waiting: list[int] = []
        self.evaluations = 0
        for uri in (*self.tasks, self.trajectory):
            self.versions[uri] = 1
            client.open(uri, self.text_of(uri))

    def text_of(self, uri: str, calm: bool = False) -> str:
        """A text for a document; a calm one is always the same and ends soon."""
        pick = (lambda options: options[0]) if calm else self.random.choice
        if uri == self.trajectory:
            content = pick(["beta\n", "alpha\n", "gamma\n"])
            return json.dumps({"steps": [write("a.txt", content)] * pick([1, 2, 30])})
        pattern = pick(["alpha", "a", "(a+)+$"])
        oracles = [exists("a.txt", pattern), unmodified("a.txt"), must_pass(pick(COMMANDS)), must_pass("test -e a.txt")]
        return json.dumps(task_dict(*oracles, workspace={"a.txt": "alpha\n", "b.txt": pick(["", "b"])}))

    def edit(self, uri: str, calm: bool = False) -> None:
        self.versions[uri] += 1
        self.client.change(uri, self.versions[uri], {"text": self.text_of(uri, calm)})

    def evaluate(self) -> None:
        self.evaluations += 1
        argument = {"task": self.random.choice(self.tasks), "trajectory": self.trajectory, "oracle": 2}
        command = self.random.choice(["evaluate"] * 4 + ["baseline", "bisect"])
        if command == "evaluate" and self.random.random() < 0.7:
            del argument["oracle"]
        params = {"command": f"agentbench.{command}", "arguments": [argument]}
        self.waiting.append(self.client.start("workspace/executeCommand", params))

    def cancel(self) -> None:
        if self.waiting:
            self.client.notify("$/cancelRequest", {"id": self.random.choice(self.waiting)})

    def cancel_progress(self) -> None:
        tokens = [m["params"]["token"] for m in self.client.seen if m["method"] == "$/progress"]
        if tokens:
            self.client.notify("window/workDoneProgress/cancel", {"token": self.random.choice(tokens[-5:])})

    def kill(self) -> None:
        """One of the processes below the server, whichever."""
        below = [pid for pid in marked(MARK, os.environ[MARK]) if pid not in (self.client.process.pid, os.getpid())]
        if below:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.random.choice(below), self.random.choice([signal.SIGKILL, signal.SIGTERM]))

    def round_trip(self) -> None:
        place = {"textDocument": {"uri": self.tasks[0]}, "position": {"line": 0, "character": 0}}
        assert "result" in self.client.request("textDocument/completion", place)

    def run(self) -> None:
        actions = [self.cancel, self.cancel_progress, self.kill, self.kill, self.round_trip]
        edits = [lambda: self.edit(self.random.choice(self.tasks)), lambda: self.edit(self.trajectory)]
        while self.evaluations < 50:
            self.evaluate()
            for _ in range(self.random.randrange(4)):
                self.random.choice([*actions, *edits])()
            if len(self.waiting) > 4:
                self.client.notify("$/cancelRequest", {"id": self.waiting[-1]})
                self.client.answer(self.waiting.pop())

    def calm_down(self, wanted: list[Any] | None = None) -> list[Any]:
        """Have everything answered, then evaluate documents that fail in a known way; what is shown of them.

        That is waited for: it may take a moment until facts are known, but then it must be what is `wanted`.
        """
        for request in self.waiting:
            self.client.notify("$/cancelRequest", {"id": request})
        for request in self.waiting:
            answer = self.client.answer(request)
            assert "result" in answer or answer["error"]["code"] in (-32800, -32802, -32803), answer
        for uri in (self.trajectory, *self.tasks):
            self.edit(uri, calm=True)
        for task in self.tasks:
            assert "result" in self.client.evaluate(task, self.trajectory), self.client.stderr()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.round_trip()
            found = self.shown()
            if found == wanted if wanted else codes(found) == CODES:
                break
        return self.shown()

    def shown(self) -> list[Any]:
        """What was published last for each document."""
        last = {
            message["params"]["uri"]: message["params"]["diagnostics"]
            for message in list(self.client.seen)
            if message["method"] == "textDocument/publishDiagnostics"
        }
        return [last.get(uri, []) for uri in (*self.tasks, self.trajectory)]


def codes(found: list[Any]) -> list[list[str]]:
    return [sorted({diagnostic["code"] for diagnostic in diagnostics}) for diagnostics in found]


@pytest.mark.parametrize("seed", [1, 2])
def test_chaos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setenv(MARK, uuid.uuid4().hex)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with RawClient() as fresh:
        fresh.initialize(CAPABILITIES)
        wanted = Chaos(fresh, tmp_path, seed).calm_down()
        assert codes(wanted) == CODES
        fresh.shutdown()
    with RawClient(env={"TMPDIR": str(temporary)}) as client:
        client.initialize(CAPABILITIES)
        chaos = Chaos(client, tmp_path, seed)
        chaos.run()
        assert chaos.calm_down(wanted) == wanted
        assert client.shutdown() == 0, client.stderr()
        assert [pid for pid in marked(MARK, os.environ[MARK]) if pid != os.getpid()] == [], client.stderr()
        assert list(temporary.iterdir()) == [], client.stderr()

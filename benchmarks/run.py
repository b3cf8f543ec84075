"""Measures what design.md gives budgets for. Prints medians; nothing here passes or fails.

python benchmarks/run.py
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.language.completion import complete
from agentbench_lsp.language.diagnostics import diagnose
from agentbench_lsp.language.document import Document
from agentbench_lsp.models.task import EvalTask
from agentbench_lsp.oracles.base import registered_specs
from agentbench_lsp.runner.trajectory import Trajectory
from agentbench_lsp.syntax.json_parser import parse

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
TASK = ROOT / "tasks" / "01_pagination_off_by_one.json"


def milliseconds(call: Callable[[], object], times: int) -> str:
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        taken.append((time.perf_counter() - started) * 1000)
    taken.sort()
    return f"p50 {statistics.median(taken):8.2f} ms   p95 {taken[int(len(taken) * 0.95)]:8.2f} ms   ({times} times)"


def large_task(files: int, lines: int) -> str:
    task = json.loads(TASK.read_text(encoding="utf-8"))
    task["workspace"] |= {f"src/m{i}.py": 'def f(x):\n    return "a"\n' * lines for i in range(files)}
    return json.dumps(task, indent=2)


def engine() -> None:
    specs = registered_specs()
    texts = {"1,000 lines": large_task(970, 1), "5 MB": large_task(900, 220)}
    for name, text in texts.items():
        print(f"parse, {name}:            ", milliseconds(lambda text=text: parse(text), 20))
        broken = text[:-30]
        print(f"parse broken, {name}:     ", milliseconds(lambda broken=broken: parse(broken), 20))
        print(f"diagnostics, {name}:      ", milliseconds(lambda text=text: diagnose(Document(text), specs), 20))
        at = text.index('"oracles"')
        print(
            f"completion, {name}:       ",
            milliseconds(lambda text=text, at=at: complete(Document(text), at, specs), 20),
        )
    task = EvalTask.from_file(ROOT / "tasks" / "09_changelog_release.json")
    recording = Trajectory.from_file(ROOT / "tasks" / "trajectories" / "09_changelog_release.pass.json")
    print("evaluate, three regexes:   ", milliseconds(lambda: Evaluator().evaluate(task, recording), 200))


def processes() -> None:
    def run(*arguments: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)

    print("python -c pass:            ", milliseconds(run("-c", "pass"), 20))
    print("agentbench check, one file:", milliseconds(run("-m", "agentbench_lsp", "check", str(TASK)), 20))


def server() -> None:
    from tests.helpers.raw_client import RawClient

    def start() -> None:
        with RawClient() as client:
            client.initialize()

    print("server, start to answer:   ", milliseconds(start, 10))
    uri = "file:///x/tasks/t.json"
    for name, text in {"1,000 lines": large_task(970, 1), "5 MB": large_task(900, 220)}.items():
        with RawClient() as client:
            client.initialize()
            client.open(uri, text)
            client.diagnostics(uri)
            version = 1

            def edit(client: RawClient = client) -> None:
                nonlocal version
                version += 1
                place = {"line": 1, "character": 9}
                client.change(uri, version, {"range": {"start": place, "end": place}, "text": "x"})
                client.diagnostics(uri)

            print(f"change to diagnostics, {name}:", milliseconds(edit, 40))
            params = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 2}}
            print(
                f"completion, {name}:",
                milliseconds(lambda c=client, p=params: c.request("textDocument/completion", p), 40),
            )
    with tempfile.TemporaryDirectory(), RawClient() as client:
        client.initialize()
        task = (ROOT / "tasks" / "09_changelog_release.json").as_uri()
        recording = (ROOT / "tasks" / "trajectories" / "09_changelog_release.pass.json").as_uri()
        print("evaluate in the editor:    ", milliseconds(lambda: client.evaluate(task, recording), 10))


if __name__ == "__main__":
    engine()
    processes()
    server()

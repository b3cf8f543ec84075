"""This server and the JSON server of VS Code, side by side: same files, same edits, over stdio, both pulled.

python benchmarks/side_by_side.py [--write]     --write: put the table into docs/performance.md

The other server is npm's `vscode-langservers-extracted`, given the schema that `agentbench schema task` prints. It is
installed into `.bench`. So is `check-jsonschema` (PyPI), which is measured against `agentbench check`.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agentbench_lsp.dsl.schema import task_schema  # noqa: E402
from tests.helpers.raw_client import SERVER, RawClient  # noqa: E402

BENCH = ROOT / ".bench"
PAGE = ROOT / "docs" / "performance.md"
MARK = "<!-- measured -->"
TIMES = 40
URI = "file:///bench/tasks/t.json"
CAPABILITIES = {
    "textDocument": {
        "diagnostic": {},
        "completion": {"completionItem": {"snippetSupport": True}},
        "hover": {"contentFormat": ["markdown"]},
    },
    "workspace": {"diagnostics": {"refreshSupport": True}, "configuration": False},
}


def task(oracles: int, files: int | None = None, lines: int = 5) -> str:
    """A task with so many different oracles, without a fault."""
    tests = "".join(f"def test_{i}():\n    assert f({i}) == 'a'\n" for i in range(oracles))
    workspace = {f"src/m{i}.py": 'def f(x):\n    return "a"\n' * lines for i in range(files or oracles)}
    workspace["tests/test_m.py"] = tests
    listed = [{"type": "file_not_modified", "path": "tests/test_m.py"}]
    for i in range(1, oracles):
        kinds = [
            {"type": "file_not_modified", "path": f"src/m{i}.py"},
            {"type": "assertion_exists", "path": "tests/test_m.py", "pattern": f"assert f\\({i}\\) == 'a'"},
            {"type": "test_must_pass", "command": f"python -m pytest -q tests/test_m.py -k test_{i}", "timeout": 60},
        ]
        listed.append(kinds[i % 3])
    value = {"id": "t", "name": "n", "description": "d", "prompt": "p", "workspace": workspace, "oracles": listed}
    return json.dumps(value, indent=2)


DOCUMENTS = {"20 oracles": task(20), "150 oracles": task(150), "5 MB": task(20, 900, 220)}


def json_server() -> list[str]:
    program = BENCH / "node_modules" / ".bin" / "vscode-json-language-server"
    if not program.exists():
        subprocess.run(["npm", "install", "--silent", "--prefix", BENCH, "vscode-langservers-extracted"], check=True)
    return [str(program), "--stdio"]


@contextmanager
def client(command: list[str]) -> Iterator[RawClient]:
    with RawClient(command) as opened:
        options = {"provideFormatter": True, "severity": {}, "handledSchemaProtocols": ["file"]}
        opened.initialize(CAPABILITIES, initializationOptions=options)
        schemas = [{"fileMatch": ["*"], "schema": task_schema()}]
        settings = {"json": {"schemas": schemas, "validate": {"enable": True}}}
        opened.notify("workspace/didChangeConfiguration", {"settings": settings})
        yield opened


def quantiles(call: Callable[[int], object], times: int = TIMES) -> tuple[float, float]:
    """p50 and p95 in milliseconds."""
    taken = []
    for i in range(times):
        started = time.perf_counter()
        call(i)
        taken.append((time.perf_counter() - started) * 1000)
    taken.sort()
    return statistics.median(taken), taken[min(len(taken) - 1, int(len(taken) * 0.95))]


def memory(pid: int) -> float:
    """Resident megabytes of a process and its children."""
    total, todo = 0.0, [pid]
    while todo:
        process = todo.pop()
        try:
            status = Path(f"/proc/{process}/status").read_text()
            todo += map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0) / 1024
    return total


def measure(command: list[str]) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}

    def start(_: int) -> None:
        with RawClient(command) as fresh:
            fresh.request("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": CAPABILITIES})

    found["start, ms"] = quantiles(start, 10)
    for name, text in DOCUMENTS.items():
        with client(command) as server:
            server.open(URI, text)
            document = {"textDocument": {"uri": URI}}
            server.request("textDocument/diagnostic", document)

            def edit(i: int, server: RawClient = server, document: dict[str, Any] = document) -> None:
                place = {"line": 1, "character": 9}
                server.change(URI, i + 2, {"range": {"start": place, "end": place}, "text": "x"})
                server.request("textDocument/diagnostic", document)

            edit(-1)
            found[f"change to diagnostics, {name}, ms"] = quantiles(edit)
            line = text.count("\n", 0, text.index('"type"'))
            at = {**document, "position": {"line": line, "character": 16}}
            for feature in ("completion", "hover"):
                method = f"textDocument/{feature}"
                found[f"{feature}, {name}, ms"] = quantiles(lambda _, s=server, m=method, p=at: s.request(m, p))
            megabytes = memory(server.process.pid)
            found[f"memory, {name}, MB"] = (megabytes, megabytes)
    return found


def checkers() -> dict[str, tuple[float, float]]:
    """Seconds for 1,000 task files."""
    environment = BENCH / "venv"
    program = environment / "bin" / "check-jsonschema"
    if not program.exists():
        venv.create(environment, with_pip=True)
        subprocess.run([environment / "bin" / "pip", "install", "--quiet", "check-jsonschema"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        tasks = make_tasks(Path(folder) / "tasks", 1000)
        schema = Path(folder) / "schema.json"
        schema.write_text(json.dumps(task_schema()))
        commands: dict[str, list[str | Path]] = {
            "agentbench check": [sys.executable, "-m", "agentbench_lsp", "check", tasks],
            "check-jsonschema": [program, "--schemafile", schema, *sorted(tasks.iterdir())],
        }
        found = {}
        for name, command in commands.items():
            milliseconds = quantiles(lambda _, c=command: subprocess.run(c, capture_output=True, check=True), 5)
            found[name] = (milliseconds[0] / 1000, milliseconds[1] / 1000)
        return found


def make_tasks(folder: Path, number: int) -> Path:
    folder.mkdir(parents=True)
    source = json.loads((ROOT / "tasks" / "01_pagination_off_by_one.json").read_text(encoding="utf-8"))
    for i in range(number):
        source["id"] = f"task-{i}"
        (folder / f"task_{i:05}.json").write_text(json.dumps(source, indent=2))
    return folder


def workspace(number: int = 10_000) -> tuple[float, float]:
    """Seconds that `workspace/diagnostic` takes for so many task files, the first time and again."""
    with tempfile.TemporaryDirectory() as folder:
        make_tasks(Path(folder) / "tasks", number)
        with RawClient(SERVER) as server:
            server.initialize(CAPABILITIES, rootUri=Path(folder).as_uri(), initializationOptions={"severity": {}})
            taken, previous = [], []
            for _ in range(2):
                started = time.perf_counter()
                answer = server.request("workspace/diagnostic", {"previousResultIds": previous}, timeout=600)
                taken.append(time.perf_counter() - started)
                items = answer["result"]["items"]
                previous = [{"uri": item["uri"], "value": item["resultId"]} for item in items]
            return taken[0], taken[1]


def table() -> str:
    ours, theirs = measure(SERVER), measure(json_server())
    rows = ["| | ours p50 | ours p95 | VS Code JSON p50 | p95 | ratio (p50) |", "|---|---|---|---|---|---|"]
    for name, (p50, p95) in ours.items():
        other50, other95 = theirs[name]
        rows.append(f"| {name} | {p50:.1f} | {p95:.1f} | {other50:.1f} | {other95:.1f} | {p50 / other50:.2f} |")
    checked = checkers()
    (own50, own95), (other50, other95) = checked["agentbench check"], checked["check-jsonschema"]
    times = f"{own50:.2f} | {own95:.2f} | {other50:.2f} | {other95:.2f} | {own50 / other50:.2f}"
    rows.append(f"| 1,000 task files on the command line, s | {times} |")
    cold, warm = workspace()
    rows.append(f"| 10,000 task files of a workspace, cold / warm, s | {cold:.1f} / {warm:.2f} | | | | |")
    return "\n".join(rows)


def main() -> None:
    BENCH.mkdir(exist_ok=True)
    measured = table()
    print(measured)
    if "--write" in sys.argv:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition(MARK)
        _, _, tail = rest.partition(MARK)
        PAGE.write_text(f"{head}{MARK}\n\n{measured}\n\n{MARK}{tail}", encoding="utf-8")


if __name__ == "__main__":
    if not shutil.which("npm"):
        sys.exit("npm is needed for the server that is compared with")
    main()

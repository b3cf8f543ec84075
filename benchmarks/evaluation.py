"""Measures what evaluating costs besides the oracles' own work. Prints; nothing here passes or fails.

python benchmarks/evaluation.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agentbench_lsp.gate.child import child_command  # noqa: E402
from agentbench_lsp.gate.evaluator import Evaluator  # noqa: E402
from agentbench_lsp.gate.timeline import timelines  # noqa: E402
from agentbench_lsp.models.task import EvalTask  # noqa: E402
from agentbench_lsp.oracles.base import registered_specs  # noqa: E402
from agentbench_lsp.runner.replay import replay  # noqa: E402
from agentbench_lsp.runner.trajectory import Trajectory  # noqa: E402
from benchmarks.run import milliseconds  # noqa: E402
from tests.helpers.build import bash, exists, must_pass, save, task_dict, unmodified, write  # noqa: E402
from tests.helpers.raw_client import RawClient, uri_of  # noqa: E402

FILES = 50
SPECS = registered_specs()


def workload(oracles: int, steps: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Oracles in turn regex and protection, on 50 files; steps that write to those, and commands."""
    workspace = {f"src/m{i}.py": f"def f{i}():\n    return {i}\n" * 10 for i in range(FILES)}
    found = []
    for i in range(oracles):
        path = f"src/m{i % FILES}.py"
        found.append(exists(path, rf"return {i % FILES}$") if i % 2 else unmodified(path))
    edits = [
        bash(f"python -m pytest tests/test_{i}.py 2>&1 | tail -5")
        if i % 4 == 3
        else write(f"src/m{i % FILES}.py", f"def f():\n    return {i}\n" * 10)
        for i in range(steps)
    ]
    return task_dict(*found, workspace=workspace), {"steps": edits}


def line(name: str, measured: str) -> None:
    print(f"{name:58}{measured}", flush=True)


def engine() -> None:
    """In this process."""
    for oracles, steps in ((3, 5), (100, 5), (100, 1_000), (10, 10_000), (100, 10_000), (100, 20_000)):
        task_text, recording = workload(oracles, steps)
        task, trajectory = EvalTask.from_dict(task_text), Trajectory.from_dict(recording)
        times = 5 if steps > 1_000 else 50
        name = f"{oracles} oracles, {steps:,} steps"
        evaluated = milliseconds(lambda t=task, j=trajectory: Evaluator().evaluate(t, j), times)
        line(f"evaluate with blame, {name}", evaluated)
        replayed, results = replay(task.workspace, trajectory), Evaluator().evaluate(task, trajectory).oracle_results
        followed = milliseconds(lambda t=task, r=replayed, o=results: timelines(t, r, o, SPECS), times)
        line(f"timeline of all oracles, {name}", followed)


def editor() -> None:
    """Through stdio, as an editor does."""
    task, recording = workload(3, 5)
    plain, trajectory = json.dumps(task, indent=2), json.dumps(recording, indent=2)
    with tempfile.TemporaryDirectory() as folder:
        uris = [uri_of(Path(folder) / name) for name in ("t.task.json", "j.trajectory.json")]
        cold = []
        for _ in range(5):
            with RawClient() as client:
                client.initialize(initializationOptions={"workspaceDiagnostics": False})
                client.open(uris[1], trajectory)
                client.open(uris[0], plain)
                started = time.perf_counter()
                client.evaluate(*uris)
                cold.append((time.perf_counter() - started) * 1000)
        line("first evaluation, asked for as the task is opened", f"p50 {sorted(cold)[2]:8.2f} ms   (5 times)")
        with RawClient() as client:
            client.initialize(initializationOptions={"workspaceDiagnostics": False})
            client.open(uris[1], trajectory)
            client.open(uris[0], plain)
            client.evaluate(*uris)
            line("evaluation, warm worker, no commands", milliseconds(lambda: client.evaluate(*uris), 200))
            client.change(uris[0], 2, {"text": json.dumps(task_dict(must_pass("true")))})
            client.evaluate(*uris)
            line("evaluation, warm worker, the command `true`", milliseconds(lambda: client.evaluate(*uris), 100))
        line("for comparison: `sh -c true` alone", milliseconds(lambda: subprocess.run("true", shell=True), 100))


def command_line() -> None:
    with tempfile.TemporaryDirectory() as folder:
        task, recording = workload(3, 5)
        files = [save(Path(folder) / "t.json", task), save(Path(folder) / "j.json", recording)]
        command = [sys.executable, "-m", "agentbench_lsp", "run", "--task", files[0], "--trajectory", files[1]]
        line(
            "agentbench run, no commands (all of the process)",
            milliseconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL), 20),
        )
        nothing = [sys.executable, "-c", "pass"]
        line("for comparison: python -c pass", milliseconds(lambda: subprocess.run(nothing), 20))


def memory() -> None:
    """The worker's peak under commands with and without output."""
    for name, command in (("nothing", "true"), ("300 MB", "yes 'a line of output' | head -c 300000000")):
        task = {"path": "t.json", "text": json.dumps(task_dict(must_pass(command)))}
        request = {"do": "evaluate", "task": task, "trajectory": None, "oracle": None}
        words = child_command("agentbench_lsp.gate.worker")
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
            assert worker.stdin
            assert worker.stdout
            started = time.perf_counter()
            worker.stdin.write(json.dumps(request).encode() + b"\n")
            worker.stdin.flush()
            while json.loads(worker.stdout.readline())["event"] != "done":
                pass
            seconds = time.perf_counter() - started
            status = Path(f"/proc/{worker.pid}/status").read_text(encoding="utf-8")
            peak = next(row.split()[1] for row in status.splitlines() if row.startswith("VmHWM"))
            worker.stdin.close()
        line(f"worker's peak memory, command prints {name}", f"{int(peak) / 1024:.0f} MB, {seconds:.2f} s")


def measured(what: Callable[[], None]) -> None:
    print(f"\n{what.__name__.replace('_', ' ')}")
    what()


if __name__ == "__main__":
    for part in (engine, editor, command_line, memory):
        measured(part)

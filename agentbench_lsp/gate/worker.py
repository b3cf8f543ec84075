"""The child process that evaluates for the editor: one request on stdin, events on stdout, JSON lines.

Request: `{"task": {"path", "text"}, "trajectory": {"path", "text"}, "oracle": int | null}`.
Events: `{"event": "oracle", "result"}` as each oracle ends; then `{"event": "done", "report", "blame"}`, where `blame`
maps a failed oracle's index (as text) to `{"step", "param"}`; or `{"event": "error", "message", "document"}`. When
stdin ends before that, the worker stops its commands, removes its folders and exits.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.loading import document_from_text, task_document
from agentbench_lsp.dsl.project import find_project
from agentbench_lsp.dsl.validator import validate_trajectory_dict
from agentbench_lsp.gate import task_files
from agentbench_lsp.gate.blame import blame
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.report.json_report import oracle_report, report
from agentbench_lsp.gate.stopping import Stopped, stoppable
from agentbench_lsp.models.task import EvalTask, OracleResult
from agentbench_lsp.runner.quiet import quiet_regexes
from agentbench_lsp.runner.replay import replay
from agentbench_lsp.runner.trajectory import Trajectory


def main() -> None:
    """Answer one request."""
    quiet_regexes()
    events, requests = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # a stray print must not stand among the events
    line = requests.readline()
    if not line:
        return
    done = threading.Event()
    threading.Thread(target=_stop_at_end, args=(requests, done), daemon=True).start()
    try:
        with stoppable():
            _answer(json.loads(line), events)
            done.set()
    except Stopped as stop:
        sys.exit(stop.exit_code)


def _stop_at_end(requests: IO[bytes], done: threading.Event) -> None:
    requests.read()
    if done.is_set():
        return
    if sys.platform == "win32":
        os._exit(1)
    else:
        # To the main thread itself: it waits for a command, and a signal elsewhere would not wake it.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


def _send(events: IO[bytes], **event: Any) -> None:
    events.write(json.dumps(event, default=str).encode() + b"\n")
    events.flush()


def _answer(request: dict[str, Any], events: IO[bytes]) -> None:
    task_path, trajectory_path = request["task"]["path"], request["trajectory"]["path"]
    current = task_path
    try:
        catalogue = Catalogue(find_project(Path(task_path)))
        document = task_document(request["task"]["text"], catalogue, task_files.TOLERATED)
        task = EvalTask.from_dict(document)
        current = trajectory_path
        trajectory = Trajectory.from_dict(document_from_text(request["trajectory"]["text"], validate_trajectory_dict))
    except task_files.UNREADABLE as exc:
        _send(events, event="error", message=task_files.say(exc), document=current)
        return

    def on_result(result: OracleResult) -> None:
        _send(events, event="oracle", result=oracle_report(result))

    try:
        result = Evaluator(catalogue).evaluate(task, trajectory, only=request.get("oracle"), on_result=on_result)
    except IndexError as exc:
        _send(events, event="error", message=str(exc), document=task_path)
        return
    replayed = replay(task.workspace, trajectory)
    failed = [r for r in result.oracle_results if not r.passed]
    blamed = {str(r.index): blame(task, replayed, r, catalogue)._asdict() for r in failed}
    _send(events, event="done", report=report([replace(result, task_file=task_path)]), blame=blamed)


if __name__ == "__main__":
    main()

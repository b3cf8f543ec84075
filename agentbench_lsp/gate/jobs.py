"""What a worker can be asked to do.

A request names `task`, `{"path", "text"}`, where its job is about one; most also `trajectory`, the same or null,
`oracle`, an index, and `sandbox`, `"off"` or `"auto"`.

- `evaluate`: all oracles, or one; without a trajectory it is the baseline. Events: `start` (`{"oracle", "type",
  "untouched", "position", "of", "seconds"}`) and `oracle` (`{"result"}`) for each; `verdict` (`{"report"}`) as soon as
  all are judged; `done` (`{"report"}`) when it is also known which commands pass on the untouched workspace.
- `report`: the same; `done` has `html` besides.
- `bisect`: events `run` (`{"number", "of", "seconds"}`); `done` (`{"bisection"}`).
- `compare`: `done` (`{"path", "before", "after"}`), the file of an oracle before and after the agent.
- `changes`: `done` (`{"files", "steps"}`): each changed file (`path`, `before`, `after`, null where there is none), and
  the same of each edit that applied, with its `step` and `tool`.
- `import`: of `session`, `{"path", "text"?}`, with `instance`, `root`, `output` (a path; the trajectory names its
  session relative to it), `task_id` or null, `redact`, `sandboxed`. `done` (`{"sessions"}`): the names of the sessions
  where it is not clear which is meant; else of the one its `report`, `trajectory`, `task` (texts) and `notes`.
- `catalogue`: of `folder`. `done` (`{"oracles": {type: spec | {"error"}}}`), custom oracles as their classes say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.dsl.loading import document_from_text, task_document
from agentbench_lsp.dsl.project import find_project
from agentbench_lsp.dsl.validator import validate_trajectory_dict
from agentbench_lsp.gate import task_files
from agentbench_lsp.gate.baseline import with_baseline
from agentbench_lsp.gate.bisect import bisect
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.oracle_host import OracleHost
from agentbench_lsp.gate.report.json_report import oracle_report, report
from agentbench_lsp.gate.run import Limits
from agentbench_lsp.models.task import EvalTask, OracleResult, RunResult
from agentbench_lsp.oracles.base import path_params
from agentbench_lsp.runner.replay import replay
from agentbench_lsp.runner.text_diff import decoded
from agentbench_lsp.runner.trajectory import Trajectory

Send = Callable[[dict[str, Any]], None]
LAST_EVENTS = ("done", "error")
_IMPORT_SECONDS = 20.0
_MOST_KNOWN = 200


class _BadRequestError(Exception):
    """What is asked for cannot be done; `document` is the path of what is at fault."""

    def __init__(self, message: str, document: str | None = None) -> None:
        super().__init__(message)
        self.document = document


class _Subject(NamedTuple):
    task: EvalTask
    trajectory: Trajectory
    catalogue: Catalogue


class Jobs:
    """Does one job after the other. Knows which commands were found to pass on the untouched workspace."""

    def __init__(self) -> None:
        self._untouched: dict[str, dict[int, bool]] = {}

    def do(self, request: dict[str, Any], send: Send) -> None:
        """Answer a request. The last event is `done` or `error`, whatever happens."""
        jobs: dict[Any, Callable[[dict[str, Any], Send], dict[str, Any]]] = {
            "evaluate": self._evaluate,
            "report": self._report,
            "bisect": _bisect,
            "compare": _compare,
            "changes": _changes,
            "import": _import,
            "catalogue": _catalogue,
        }
        job = jobs.get(request.get("do"))
        try:
            if job is None:
                raise _BadRequestError(f"there is no job {request.get('do')!r}")
            answer = job(request, send)
        except _BadRequestError as exc:
            send({"event": "error", "message": str(exc), "document": exc.document})
        except (IndexError, ValueError) as exc:
            send({"event": "error", "message": str(exc), "document": request.get("task", {}).get("path")})
        except OSError as exc:
            send({"event": "error", "message": f"the workspace cannot be made: {exc}", "document": None})
        else:
            send({"event": "done", **answer})

    def _evaluate(self, request: dict[str, Any], send: Send) -> dict[str, Any]:
        _, result = self._evaluated(request, send)
        return {"report": _as_report(result, request)}

    def _report(self, request: dict[str, Any], send: Send) -> dict[str, Any]:
        from agentbench_lsp.gate.report.html_report import html_report

        subject, result = self._evaluated(request, send)
        html = html_report(subject.task, subject.trajectory, result, subject.catalogue)
        return {"report": _as_report(result, request), "html": html}

    def _evaluated(self, request: dict[str, Any], send: Send) -> tuple[_Subject, RunResult]:
        subject = _load(request)
        task, trajectory, catalogue = subject
        only, position, count = request.get("oracle"), 0, len(task.oracles)

        def on_start(index: int, seconds: float, untouched: bool = False) -> None:
            nonlocal position
            position += 1
            about = {"oracle": index, "type": task.oracles[index].type, "untouched": untouched}
            send({"event": "start", **about, "position": position, "of": max(count, position), "seconds": seconds})

        def on_result(result: OracleResult) -> None:
            send({"event": "oracle", "result": oracle_report(result)})

        evaluator = Evaluator(catalogue, sandbox=_limits(request).sandbox)
        result = evaluator.evaluate(task, trajectory, only=only, on_result=on_result, on_start=on_start)
        if request.get("trajectory") is None:
            return subject, with_baseline(task, result, catalogue)
        send({"event": "verdict", "report": _as_report(result, request)})
        while len(self._untouched) > _MOST_KNOWN:
            del self._untouched[next(iter(self._untouched))]

        def on_again(index: int, seconds: float) -> None:
            on_start(index, seconds, untouched=True)

        return subject, evaluator.compare_untouched(task, trajectory, result, on_again, self._untouched)


def _as_report(result: RunResult, request: dict[str, Any]) -> dict[str, Any]:
    return report([replace(result, task_file=request["task"]["path"])])


def _limits(request: dict[str, Any]) -> Limits:
    return Limits(sandbox="auto" if request.get("sandbox") == "auto" else "off")


def _load(request: dict[str, Any]) -> _Subject:
    """What a request is about. Raises _BadRequestError."""
    path = request["task"]["path"]
    recorded = request.get("trajectory")
    current = path
    try:
        catalogue = Catalogue(find_project(Path(path)))
        task = EvalTask.from_dict(task_document(request["task"]["text"], catalogue, task_files.TOLERATED))
        if recorded is None:
            return _Subject(task, Trajectory([]), catalogue)
        current = recorded["path"]
        return _Subject(task, _recording(recorded), catalogue)
    except task_files.UNREADABLE as exc:
        raise _BadRequestError(task_files.say(exc), current) from None
    except ImportError as exc:  # jsonschema, and only a faulty document needs it
        raise _BadRequestError(f"not a valid document ({exc}); its diagnostics say why", current) from None


def _recording(recorded: dict[str, Any]) -> Trajectory:
    text = recorded.get("text")
    # Of all sessions only ATIF could be taken for a trajectory.
    if text is not None and text.lstrip()[:1] == "{" and '"ATIF-' not in text:
        try:
            return Trajectory.from_dict(document_from_text(text, validate_trajectory_dict))
        except (ValueError, RecursionError):
            pass  # a session, perhaps; else it is said again
    from agentbench_lsp.gate.recordings import load_recording  # importers, which most evaluations need not

    return load_recording(Path(recorded["path"]), text, recorded.get("instance"))


def _bisect(request: dict[str, Any], send: Send) -> dict[str, Any]:
    task, trajectory, catalogue = _load(request)

    def on_run(number: int, of: int, seconds: float) -> None:
        send({"event": "run", "number": number, "of": of, "seconds": seconds})

    found = bisect(task, trajectory, request["oracle"], catalogue, _limits(request), on_run)
    return {"bisection": found._asdict()}


def _compare(request: dict[str, Any], send: Send) -> dict[str, Any]:
    task, trajectory, catalogue = _load(request)
    index = request["oracle"]
    oracle = task.oracle(index)
    paths = path_params(oracle, catalogue.get(oracle.type))
    if not paths:
        raise _BadRequestError(f"oracle {index} ({oracle.type}) names no file", request["task"]["path"])
    replayed = replay(task.workspace, trajectory)
    return _change(paths[0], replayed.initial.get(paths[0]), replayed.files.get(paths[0]))


def _changes(request: dict[str, Any], send: Send) -> dict[str, Any]:
    task, trajectory, _ = _load(request)
    replayed = replay(task.workspace, trajectory)
    initial, final = replayed.initial, replayed.files
    before, steps = dict(initial), []
    for step, edited, files in replayed.edits():
        for path in edited:
            change = _change(path, before.get(path), files.get(path))
            steps.append({"step": step, "tool": trajectory.steps[step].tool, **change})
        before = dict(files)
    paths = [path for path in sorted({*initial, *final}) if initial.get(path) != final.get(path)]
    return {"files": [_change(path, initial.get(path), final.get(path)) for path in paths], "steps": steps}


def _change(path: str, before: bytes | None, after: bytes | None) -> dict[str, str | None]:
    return {"path": path, "before": _text(before), "after": _text(after)}


def _text(content: bytes | None) -> str | None:
    return None if content is None else decoded(content)


def _import(request: dict[str, Any], send: Send) -> dict[str, Any]:
    from agentbench_lsp.gate.session_import import ImportRequest, import_for_editor

    wanted = ImportRequest(*[request.get(name) for name in ImportRequest._fields])
    try:
        return import_for_editor(wanted)
    except task_files.UNREADABLE as exc:
        raise _BadRequestError(task_files.say(exc), request["session"]["path"]) from None


def _catalogue(request: dict[str, Any], send: Send) -> dict[str, Any]:
    catalogue = Catalogue(find_project(Path(request["folder"])))
    with OracleHost(catalogue.project.pass_env) as host:
        return {"oracles": host.declared(catalogue.custom.values(), _IMPORT_SECONDS)}

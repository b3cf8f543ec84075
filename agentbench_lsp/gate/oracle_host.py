"""The child process that custom oracles run in, and the parent's side of it.

Requests and answers are JSON lines. The child's own stdout is turned away from the answers, so an oracle that prints
cannot forge or break one; one that hangs is killed with its process group, and the next request starts a new child.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from agentbench_lsp.dsl.catalogue import CustomOracle
from agentbench_lsp.gate.child import child_command
from agentbench_lsp.gate.details import no_verdict
from agentbench_lsp.gate.guard import describe
from agentbench_lsp.models.task import EvalTask, Oracle, OracleResult
from agentbench_lsp.runner.environment import clean_environment
from agentbench_lsp.runner.signals import deferred_signals
from agentbench_lsp.runner.trajectory import Trajectory

_START_SECONDS = 30.0
_SLICE_SECONDS = 0.2
_CAUGHT_BYTES = 16_384


class OracleHost:
    """Runs custom oracles in a child that is started when the first one is needed. Close it, or use it in `with`."""

    def __init__(self, pass_env: Iterable[str] = ()) -> None:
        self._pass_env = tuple(pass_env)
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> OracleHost:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(
        self,
        custom: CustomOracle,
        oracle: Oracle,
        workspace: Path,
        trajectory: Trajectory,
        task: EvalTask,
        seconds: float,
    ) -> OracleResult:
        """What the custom oracle found; a failed result where it raises, prints, hangs or ends its process."""
        name = oracle.type
        request = {
            "file": str(custom.file) if custom.file else None,
            "entry_point": custom.entry_point,
            "type": name,
            "params": oracle.params,
            "workspace": str(workspace),
            "steps": [step.raw for step in trajectory.steps],
            "metadata": trajectory.metadata,
            "root": trajectory.root,
            "initial_workspace": task.workspace,
        }
        try:
            answer = self._ask(json.dumps(request).encode() + b"\n", seconds)
        except TimeoutError:
            self.close()
            return no_verdict(name, f"no answer within {seconds:g} s; the oracle was stopped")
        except (OSError, ValueError) as exc:
            self.close()
            return no_verdict(name, f"the oracle ended its process ({exc})")
        details = answer.get("details")
        return OracleResult(
            name,
            answer.get("passed") is True,
            str(answer.get("message", "")),
            details if isinstance(details, dict) else {},
        )

    def declared(self, custom: Iterable[CustomOracle], seconds: float) -> dict[str, dict[str, Any]]:
        """What classes declare, once their modules have been imported: a spec as JSON, or `{"error"}`, by type.

        A module that hangs takes only its own types' answers.
        """
        found: dict[str, dict[str, Any]] = {}
        for each in custom:
            request = {
                "file": str(each.file) if each.file else None,
                "entry_point": each.entry_point,
                "type": each.spec.type,
                "declare": True,
            }
            try:
                found[each.spec.type] = self._ask(json.dumps(request).encode() + b"\n", seconds)
            except TimeoutError:
                self.close()
                found[each.spec.type] = {"error": f"its module is not imported within {seconds:g} s"}
            except (OSError, ValueError) as exc:
                self.close()
                found[each.spec.type] = {"error": f"its module ends the process ({exc})"}
        return found

    def close(self) -> None:
        """End the child and whatever it started."""
        child, self._child = self._child, None
        if child is not None:
            kill_group(child)
            for stream in (child.stdin, child.stdout):
                if stream:
                    with contextlib.suppress(OSError):
                        stream.close()
            child.wait()

    def _ask(self, request: bytes, seconds: float) -> dict[str, Any]:
        if self._child is None or self._child.poll() is not None:
            self._start()
        child = self._child
        assert child is not None  # noqa: S101 - for the type checker
        assert child.stdin is not None  # noqa: S101
        assert child.stdout is not None  # noqa: S101
        child.stdin.write(request)
        child.stdin.flush()
        line = _read_line(child.stdout, seconds)
        if not line:
            raise OSError(f"exit code {child.wait()}")
        answer = json.loads(line)
        if not isinstance(answer, dict):
            raise ValueError("no answer")
        return answer

    def _start(self) -> None:
        own_group: dict[str, Any] = {"start_new_session": True} if sys.platform != "win32" else {}
        with deferred_signals():
            self._child = subprocess.Popen(  # noqa: S603 - our own program
                child_command("agentbench_lsp.gate.oracle_host"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=clean_environment(self._pass_env),
                **own_group,
            )
        assert self._child.stdout is not None  # noqa: S101 - for the type checker
        _read_line(self._child.stdout, _START_SECONDS)  # its start-up is not the oracle's time


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """Kill a child and, where there are process groups, its group."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()


def _read_line(stream: IO[bytes], seconds: float) -> bytes:
    """One line of a pipe. Raises TimeoutError."""
    if sys.platform == "win32":  # pragma: no cover - no select on pipes there
        return _read_line_in_thread(stream, seconds)
    deadline, data = time.monotonic() + seconds, b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while not data.endswith(b"\n"):
            rest = deadline - time.monotonic()
            if rest <= 0:
                raise TimeoutError
            if not selector.select(min(rest, _SLICE_SECONDS)):
                continue  # in slices, as in runner.shell: a signal just before a wait does not interrupt it
            chunk = os.read(stream.fileno(), 1 << 16)
            if not chunk:
                return b""
            data += chunk
    return data


def _read_line_in_thread(stream: IO[bytes], seconds: float) -> bytes:  # pragma: no cover - Windows
    box: list[bytes] = []
    reader = threading.Thread(target=lambda: box.append(stream.readline()), daemon=True)
    reader.start()
    reader.join(seconds)
    if not box:
        raise TimeoutError
    return box[0]


def main() -> None:
    """The child: answer requests until stdin ends."""
    from agentbench_lsp.gate import seed_alias

    threading.Thread(target=_die_with_parent, daemon=True).start()
    seed_alias.install()
    answers = os.fdopen(os.dup(1), "wb")
    requests = os.fdopen(os.dup(0), "rb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    answers.write(b"ready\n")
    answers.flush()
    for line in requests:
        answer = _answer(json.loads(line))
        answers.write(json.dumps(answer, default=str).encode() + b"\n")
        answers.flush()
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__  # whatever the oracle put there


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run one oracle with fd 1 and 2 caught in files, and say what came of it."""
    with _caught(1) as printed, _caught(2) as logged:
        answer = _declare(request) if request.get("declare") else _judge(request)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
    if isinstance(answer, dict):
        return answer
    if printed:
        verdict = "passed" if answer.passed else f"failed: {answer.message}"
        message = (
            f"the oracle printed {printed[0].splitlines()[0]!r}; an oracle answers with its OracleResult alone,"
            f" and logs to stderr (its own verdict was: {verdict})"
        )
        answer = no_verdict(request["type"], message, answer.details)
    details: object = answer.details
    if logged and not answer.passed and isinstance(details, dict):
        details = {"stderr": logged[0], **details}
    return {"passed": bool(answer.passed), "message": answer.message, "details": details}


@contextlib.contextmanager
def _caught(fd: int) -> Iterator[list[str]]:
    """What is written to a file descriptor in the block; one text, or nothing, once the block has ended."""
    texts: list[str] = []
    with tempfile.TemporaryFile() as file:
        saved = os.dup(fd)
        os.dup2(file.fileno(), fd)
        try:
            yield texts
        finally:
            os.dup2(saved, fd)
            os.close(saved)
            file.seek(0)
            if text := file.read(_CAUGHT_BYTES).decode("utf-8", "replace").strip():
                texts.append(text)


def _die_with_parent() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    if sys.platform != "win32":
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _declare(request: dict[str, Any]) -> dict[str, Any]:
    from agentbench_lsp.gate.oracle_loading import load_oracle

    try:
        return asdict(type(load_oracle(request["type"], request["file"], request["entry_point"])).spec())
    except BaseException as exc:  # noqa: BLE001 - whatever a module does when it is imported is its own failure
        return {"error": describe(exc)}


def _judge(request: dict[str, Any]) -> OracleResult:
    from agentbench_lsp.gate.oracle_loading import load_oracle

    try:
        check = load_oracle(request["type"], request["file"], request["entry_point"])
    except BaseException as exc:  # noqa: BLE001 - whatever a module does when it is imported is its own failure
        return no_verdict(
            request["type"], f"{request['file'] or request['entry_point']} cannot be loaded: {describe(exc)}"
        )
    trajectory = Trajectory.from_dict({"steps": request["steps"], "metadata": request["metadata"]})
    trajectory = trajectory.with_root(request["root"])
    oracle = Oracle(request["type"], request["params"])
    try:
        result: object = check.check(oracle, Path(request["workspace"]), trajectory, request["initial_workspace"])
    except BaseException as exc:  # noqa: BLE001 - so is whatever its check does
        return no_verdict(request["type"], f"the oracle raised {describe(exc)}")
    if not isinstance(result, OracleResult):
        return no_verdict(request["type"], f"the oracle returned {type(result).__name__}, not an OracleResult")
    return result


if __name__ == "__main__":
    main()

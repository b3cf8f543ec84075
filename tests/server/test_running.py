"""The run itself: progress, cancel, trust, on save, another interpreter, a sandbox."""

from __future__ import annotations

import asyncio
import json
import os
import select
import socket
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled

from agentbench_lsp.runner.sandbox import available
from tests.helpers.bench import Bench
from tests.helpers.build import bash, exists, must_pass, save, task_dict, unmodified, write
from tests.helpers.raw_client import uri_of
from tests.runner.test_shell import is_alive

STEPS = [write("a.txt", "beta\n")]
CANCELLED = -32800


async def test_progress_says_how_far_it_is_and_with_what(bench: Bench) -> None:
    bench.set_up(exists("a.txt", "b"), must_pass("true"), must_pass("true"), steps=STEPS)
    bench.client.progress_reports["mine"] = []
    await bench.command("evaluate", {"task": bench.task, "trajectory": bench.trajectory}, token="mine")
    ((token, reports),) = bench.client.progress_reports.items()
    assert token == "mine"
    begin, *told, end = reports
    assert isinstance(begin, types.WorkDoneProgressBegin)
    assert (begin.title, begin.cancellable, begin.percentage) == ("Evaluating t.task.json", True, 0)
    assert [(report.percentage, report.message) for report in told] == [  # type: ignore[attr-defined]
        (0, "oracle 0: assertion_exists"),
        (33, "oracle 1: test_must_pass"),
        (66, "oracle 2: test_must_pass"),
        (75, "oracle 1: test_must_pass on the untouched workspace"),
        (80, "oracle 2: test_must_pass on the untouched workspace"),
    ]
    assert isinstance(end, types.WorkDoneProgressEnd)


async def test_without_a_token_the_server_makes_one(bench: Bench) -> None:
    bench.set_up(must_pass("true"), steps=STEPS)
    await bench.evaluate()
    await bench.until(lambda: bool(bench.client.progress_reports))
    ((token, reports),) = bench.client.progress_reports.items()
    assert str(token).startswith("agentbench-")
    assert not reports or isinstance(reports[0], types.WorkDoneProgressBegin)


async def running(bench: Bench, command: str = "evaluate") -> tuple[asyncio.Task[Any], int]:
    """A run whose command waits to be ended: the request, and the pid of the command."""
    fifo = bench.folder / "started"
    os.mkfifo(fifo)
    bench.set_up(must_pass(f"setsid sh -c 'echo $$ > {fifo}; sleep 600; true'"), steps=STEPS)
    argument = {"task": bench.task, "trajectory": bench.trajectory, "oracle": 0}
    request = asyncio.create_task(bench.command(command, argument))
    return request, int(await asyncio.to_thread(fifo.read_text))


async def gone(pid: int) -> None:
    """Wait until a process has ended; a second is what it may take."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert (await asyncio.to_thread(select.select, [fd], [], [], 20))[0] or not is_alive(pid)
    finally:
        os.close(fd)


async def code_of(request: Awaitable[Any]) -> int:
    with pytest.raises((JsonRpcException, JsonRpcRequestCancelled)) as caught:
        await request
    return caught.value.code


@pytest.mark.parametrize("command", ["evaluate", "bisect", "showReport"])
async def test_the_progress_cancel_ends_the_children(bench: Bench, command: str) -> None:
    request, pid = await running(bench, command)
    await bench.until(lambda: any(bench.client.progress_reports.values()))
    (token,) = bench.client.progress_reports
    bench.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    assert await code_of(request) == CANCELLED
    assert not is_alive(pid)  # the request is answered when they are gone
    bench.change(bench.task, json.dumps(task_dict()))
    assert (await bench.evaluate())[0]["passed"]


async def test_a_newer_run_of_the_same_task_ends_the_older(bench: Bench) -> None:
    request, pid = await running(bench)
    bench.change(bench.task, bench.texts[bench.task].replace("sleep 600", "exit").replace("setsid ", ""))
    bench.replace(bench.task, f"echo $$ > {bench.folder / 'started'}; ", "")
    assert (await bench.evaluate())[0]["passed"]
    assert await code_of(request) == -32802
    assert not is_alive(pid)


async def test_a_worker_that_dies_is_told_and_replaced(bench: Bench) -> None:
    request, pid = await running(bench)
    (worker,) = workers(bench)
    os.kill(worker, 9)
    with pytest.raises(JsonRpcException, match="ended without a verdict"):
        await request
    await gone(pid)
    bench.change(bench.task, json.dumps(task_dict()))
    assert (await bench.evaluate())[0]["passed"]


def workers(bench: Bench) -> list[int]:
    """The server's workers."""
    server = bench.client._server
    assert server is not None
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return [int(child) for child in children if b"gate.worker" in Path(f"/proc/{child}/cmdline").read_bytes()]


async def test_one_worker_is_kept_warm(bench: Bench) -> None:
    bench.set_up(steps=STEPS)
    await bench.until(lambda: len(workers(bench)) == 1)  # before anything was evaluated
    (first,) = workers(bench)
    await bench.evaluate()
    await bench.evaluate()
    assert workers(bench) == [first]


REFUSED = "the workspace is not trusted, so nothing of it is run; trust it to evaluate its tasks"


@pytest.mark.options(trusted=False, evaluateOnSave=True, baselineOnSave=True)
async def test_nothing_runs_without_trust(bench: Bench) -> None:
    (bench.folder / "pyproject.toml").write_text('[tool.agentbench]\noracles = ["o.py"]\n')
    (bench.folder / "o.py").write_text(
        f"open({str(bench.folder / 'imported')!r}, 'w')\nclass Own:\n    oracle_type = 'own'\n    params = tuple()\n"
    )
    bench.set_up(must_pass(f"touch {bench.folder / 'ran'}"), {"type": "own"}, {"type": "nonsense"}, steps=STEPS)
    await bench.shown(bench.task, "unknown-oracle-type")  # validation stays
    argument = {"task": bench.task, "trajectory": bench.trajectory, "oracle": 0}
    for command in ("evaluate", "baseline", "bisect", "showReport", "showDiff"):
        with pytest.raises(JsonRpcException, match=REFUSED):
            await bench.command(command, argument)
    save(bench.folder / "t.trajectory.json", {"steps": []})
    bench.save(bench.task)
    await bench.round_trip()
    assert workers(bench) == []
    assert not (bench.folder / "ran").exists()
    assert not (bench.folder / "imported").exists()


async def test_trust_that_is_given_and_taken(bench: Bench) -> None:
    bench.client.protocol.notify("agentbench/trust", {"trusted": False})
    bench.set_up(steps=STEPS)
    with pytest.raises(JsonRpcException, match=REFUSED):
        await bench.evaluate()
    bench.client.protocol.notify("agentbench/trust", {"trusted": True})
    assert (await bench.evaluate())[0]["passed"]


async def test_taking_trust_away_ends_what_runs(bench: Bench) -> None:
    request, pid = await running(bench)
    bench.client.protocol.notify("agentbench/trust", {"trusted": False})
    with pytest.raises(JsonRpcException):
        await request
    await gone(pid)
    await bench.until(lambda: workers(bench) == [])


@pytest.mark.options(evaluateOnSave=True)
async def test_evaluating_on_save(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"), steps=STEPS)
    bench.save(bench.task)  # no trajectory belongs to it yet, and nobody is asked
    (bench.folder / "t.trajectory.json").write_text(bench.texts[bench.trajectory])
    bench.save(bench.task)
    await bench.shown(bench.task, "oracle-failed")
    bench.replace(bench.task, '"path": "a.txt"', '"path": "b.txt"')
    await bench.shown(bench.task, "path-not-in-workspace")
    bench.save(bench.task)
    await bench.shown(bench.task, "path-not-in-workspace", "oracle-failed")
    assert bench.client.messages == []


@pytest.mark.options(evaluateOnSave=True, baselineOnSave=True)
async def test_evaluation_and_baseline_on_save_do_not_get_in_each_others_way(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"))
    save(bench.folder / "t.trajectory.json", {"steps": STEPS})
    bench.save(bench.task)
    await bench.shown(bench.task, "oracle-failed", "measures-nothing")


@pytest.mark.options(evaluateOnSave=True)
async def test_saving_a_trajectory_evaluates_the_tasks_it_was_used_for(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"))
    await bench.evaluate()
    await bench.shown(bench.task)
    bench.change(bench.trajectory, '{"steps": [{"tool": "Write", "args": {"path": "a.txt", "content": "x"}}]}')
    bench.save(bench.trajectory)
    await bench.shown(bench.task, "oracle-failed")


async def test_by_default_nothing_is_evaluated_on_save(bench: Bench) -> None:
    bench.set_up(must_pass(f"touch {bench.folder / 'ran'}"), steps=STEPS)
    save(bench.folder / "t.trajectory.json", {"steps": []})
    bench.save(bench.task)
    bench.set_up(steps=STEPS)
    await bench.evaluate()  # whatever was started before has its turn before this
    assert not (bench.folder / "ran").exists()


@pytest.mark.options(interpreter="bin/python")
async def test_another_interpreter_evaluates(bench: Bench) -> None:
    import venv

    venv.create(bench.folder, with_pip=False)
    bench.set_up(must_pass("python -c 'import sys; print(sys.prefix)'"), steps=STEPS)
    (result,) = await bench.evaluate()
    assert result["details"]["stdout"] == f"{bench.folder}\n"


@pytest.mark.options(interpreter="no-such-python")
async def test_an_interpreter_that_is_not_there_is_said_to_be(bench: Bench) -> None:
    bench.set_up(steps=STEPS)
    with pytest.raises(JsonRpcException, match="the interpreter no-such-python cannot be started: No such file"):
        await bench.evaluate()


@pytest.mark.parametrize("program", ["yes", "true", "cat"])
async def test_a_program_that_is_no_python(bench: Bench, program: str) -> None:
    bench.client.set_configuration({"interpreter": program}, section="agentbench")
    bench.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    await bench.round_trip()
    bench.set_up(steps=STEPS)
    with pytest.raises(JsonRpcException, match=f"{program} is no Python that can evaluate"):
        await bench.evaluate()


async def test_computed_params_are_learned_from_the_worker(bench: Bench) -> None:
    (bench.folder / "pyproject.toml").write_text('[tool.agentbench]\noracles = ["o.py"]\n')
    (bench.folder / "o.py").write_text(
        "from agentbench.oracles.base import OracleCheck, Param, register_oracle\n"
        "@register_oracle\n"
        "class Own(OracleCheck):\n"
        "    oracle_type = 'own'\n"
        "    params = tuple(Param(name, kind='integer') for name in ('limit',))\n"
        "    def check(self, *_): ...\n"
    )
    bench.set_up({"type": "own"}, steps=STEPS)
    await bench.shown(bench.task, "missing-param")
    bench.replace(bench.task, '"type": "own"', '"type": "own", "limit": "x"')
    await bench.shown(bench.task, "wrong-type")


NO_SANDBOX = available().program is None


@pytest.mark.skipif(NO_SANDBOX, reason=f"no sandbox: {available().reason}")
@pytest.mark.options(sandbox="auto")
async def test_commands_in_a_sandbox(bench: Bench) -> None:
    outside = bench.folder / "outside"
    listener = socket.create_server(("127.0.0.1", 0))
    connect = f"import socket; socket.create_connection(('127.0.0.1', {listener.getsockname()[1]}), 5)"
    bench.set_up(
        must_pass(f"echo x > inside && ! touch {outside} 2>/dev/null && cat inside"),
        must_pass("test $(grep -c : /proc/net/dev) = 1"),  # lo
        must_pass(f'python -c "{connect}"'),
        steps=STEPS,
    )
    written, devices, connected = await bench.evaluate()
    assert (written["passed"], written["details"]["stdout"]) == (True, "x\n")
    assert written["details"]["sandbox"] == "bwrap: no network, nothing writable but the workspace"
    assert devices["passed"], devices["details"]
    assert not connected["passed"]
    assert "ConnectionRefusedError" in connected["details"]["stderr"]
    assert not outside.exists()
    bench.client.set_configuration({"sandbox": "off"}, section="agentbench")
    bench.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    await bench.round_trip()
    (connected,) = await bench.evaluate(oracle=2)  # the test can fail
    assert connected["passed"]
    listener.close()


@pytest.mark.options(sandbox="auto")
async def test_where_there_is_no_sandbox_the_result_says_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bin_folder = bench.folder / "bin"
    bin_folder.mkdir()
    python = bin_folder / "python"
    python.write_text(f'#!/bin/sh\nPATH={bin_folder} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    configuration = {"interpreter": "bin/python", "sandbox": "auto"}
    bench.client.set_configuration(configuration, section="agentbench")
    bench.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    bench.set_up(must_pass("true"), steps=STEPS)
    await bench.round_trip()
    (result,) = await bench.evaluate()
    assert result["details"]["sandbox"] == "none: bwrap is not installed"


async def test_a_task_that_is_not_open_and_its_trajectory(bench: Bench) -> None:
    bench.set_up(steps=STEPS)
    task = save(bench.folder / "other.task.json", task_dict(unmodified("a.txt")))
    recording = save(bench.folder / "r.json", {"steps": [bash("ls")]})
    report = await bench.command("evaluate", {"task": uri_of(task), "trajectory": uri_of(recording)})
    assert report["passed"]

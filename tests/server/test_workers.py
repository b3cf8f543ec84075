"""The worker process and its queue: whatever happens to it, nothing of it is left."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agentbench_lsp.server import worker_process
from agentbench_lsp.server.worker_process import WorkerError, WorkerProcess, all_ended
from agentbench_lsp.server.workers import ReplacedError, Workers
from tests.gate.test_worker import request
from tests.helpers.build import must_pass, task_dict
from tests.runner.test_shell import is_alive

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where workers have their folders."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
async def workers(temporary: Path) -> AsyncIterator[Workers]:
    made = Workers(lambda: None, lambda: True)
    yield made
    await made.stop()
    assert [path for path in temporary.iterdir() if path.name.startswith("agentbench")] == []


def job(command: str, **params: Any) -> dict[str, Any]:
    return request(task_dict(must_pass(command, **params)), [])


def ignore(event: dict[str, Any]) -> None:
    """Events that a test does not look at."""


def passed(done: dict[str, Any]) -> bool:
    return bool(done["report"]["passed"])


async def test_a_worker_that_stands_still_is_ended_at_its_limit(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "_SLACK_SECONDS", 0.1)
    worker = await WorkerProcess.start(sys.executable)
    try:
        with pytest.raises(WorkerError, match=r"no answer within 0\.3 s; the evaluation was stopped"):
            await worker.ask(job("echo $$ > pid; kill -STOP $PPID; sleep 600", timeout=0.2), ignore)
        (pid_file,) = temporary.rglob("pid")
        pid = int(pid_file.read_text())
        assert is_alive(pid)
    finally:
        await worker.end()
    assert not is_alive(pid)
    assert list(temporary.iterdir()) == []


async def test_what_left_the_group_is_ended_too(temporary: Path) -> None:
    """A worker that was killed could not do it itself."""
    worker = await WorkerProcess.start(sys.executable)
    fifo = temporary / "started"
    os.mkfifo(fifo)
    asked = asyncio.create_task(worker.ask(job(f"setsid sh -c 'echo $$ > {fifo}; sleep 600' & kill -9 $PPID"), ignore))
    pid = int(await asyncio.to_thread(fifo.read_text))
    with pytest.raises(WorkerError, match="ended without a verdict"):
        await asked
    await worker.end()
    assert not is_alive(pid)
    assert [path.name for path in temporary.iterdir()] == ["started"]


async def test_jobs_have_their_turn_in_order(workers: Workers) -> None:
    order: list[int] = []

    async def do(number: int) -> None:
        assert passed(await workers.do(number, job("true"), ignore))
        order.append(number)

    await asyncio.gather(*(do(number) for number in range(4)))
    assert order == [0, 1, 2, 3]


async def test_a_newer_job_takes_the_place_of_an_older_that_runs_or_waits(workers: Workers) -> None:
    runs = asyncio.create_task(workers.do("a", job("sleep 600"), ignore))
    waits = asyncio.create_task(workers.do("b", job("sleep 600"), ignore))
    await asyncio.sleep(0)
    newer = [asyncio.create_task(workers.do(key, job("true"), ignore)) for key in "ab"]
    assert [passed(await each) for each in newer] == [True, True]
    for older in (runs, waits):
        with pytest.raises(ReplacedError):
            await older


async def test_one_that_waits_can_be_cancelled_without_a_trace(workers: Workers) -> None:
    fifo = Path(tempfile.gettempdir()) / "go"
    os.mkfifo(fifo)
    runs = asyncio.create_task(workers.do("a", job(f"cat {fifo}"), ignore))
    waits = asyncio.create_task(workers.do("b", job("true"), ignore))
    await asyncio.sleep(0)
    waits.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waits
    await asyncio.to_thread(fifo.write_text, "")
    assert passed(await runs)


async def test_its_own_error_does_not_cost_the_worker(workers: Workers) -> None:
    await workers.do("a", job("true"), ignore)
    before = workers._worker
    with pytest.raises(WorkerError, match="not valid JSON") as caught:
        await workers.do("a", request("{", []), ignore)
    assert caught.value.document == "t.json"
    assert workers._worker is before


async def test_another_interpreter_from_the_next_job_on(temporary: Path) -> None:
    wanted: list[str | None] = [None]
    workers = Workers(lambda: wanted[0], lambda: True)
    await workers.do("a", job("true"), ignore)
    link = temporary / "another-python"
    link.symlink_to(sys.executable)
    wanted[0] = str(link)
    await workers.do("a", job("true"), ignore)
    assert workers._worker is not None
    assert workers._worker.interpreter == str(link)
    await workers.stop()


async def test_an_old_python_says_what_it_is(temporary: Path) -> None:
    """One that cannot run the package: the version it claims is older."""
    old = temporary / "old-python"
    old.write_text(
        "#!/bin/sh\n"
        f'exec {sys.executable} -c "import runpy, sys; sys.argv = sys.argv[1:]; sys.version_info = (3, 8, 1);'
        ' runpy.run_path(sys.argv[0], run_name=\'__main__\')" "$@"\n'
    )
    old.chmod(0o755)
    with pytest.raises(WorkerError, match=r"is Python 3\.8\.1; evaluating needs 3\.11 or newer"):
        await WorkerProcess.start(str(old))
    await all_ended()

"""`agentbench.evaluate`: unsaved buffers, a child process, failures where they belong."""

from __future__ import annotations

import json
import os
import select
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.build import bash, exists, must_pass, save, task_dict, unmodified, write
from tests.helpers.raw_client import RawClient, uri_of
from tests.runner.test_shell import is_alive

RELATED = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
STEPS = [bash("ls"), write("a.txt", "beta\n")]


class Editor:
    """A client with a task and a trajectory open, neither of them saved."""

    def __init__(self, client: RawClient, folder: Path) -> None:
        self.client, self.folder = client, folder
        self.task, self.trajectory = uri_of(folder / "t.task.json"), uri_of(folder / "j.trajectory.json")

    def open(self, *oracles: dict[str, Any], steps: list[Any] = STEPS) -> str:
        text = json.dumps(task_dict(*oracles), indent=2)
        self.client.open(self.task, text)
        self.client.open(self.trajectory, json.dumps({"steps": steps}, indent=2))
        self.client.diagnostics(self.task)
        return text

    def evaluate(self, **more: object) -> dict[str, Any]:
        return self.client.evaluate(self.task, self.trajectory, **more)

    def failures(self) -> list[dict[str, Any]]:
        return [d for d in self.client.diagnostics(self.task) if d["code"] == "oracle-failed"]


@pytest.fixture
def editor(tmp_path: Path) -> Any:
    with RawClient(env={"TMPDIR": str(tmp_path / "tmp")}) as client:
        (tmp_path / "tmp").mkdir()
        client.initialize(RELATED)
        yield Editor(client, tmp_path)


def test_it_is_advertised() -> None:
    with RawClient() as client:
        answer = client.initialize()
        assert sorted(answer["result"]["capabilities"]["executeCommandProvider"]["commands"]) == [
            "agentbench.baseline",
            "agentbench.bisect",
            "agentbench.clear",
            "agentbench.evaluate",
            "agentbench.import",
            "agentbench.showDiff",
            "agentbench.showOutput",
            "agentbench.showReport",
            "agentbench.showStep",
        ]


def test_failures_on_the_most_telling_value_with_the_step(editor: Editor) -> None:
    text = editor.open(
        exists("a.txt", "alpha"),
        unmodified("a.txt"),
        must_pass("false"),
        exists("a.txt", "beta"),
        {"type": "no_network"},
    )
    report = editor.evaluate()["result"]
    assert [o["passed"] for o in report["tasks"][0]["oracles"]] == [False, False, False, True, True]
    found = editor.failures()
    lines = text.splitlines()
    marked = []
    for d in found:
        start, end = d["range"]["start"], d["range"]["end"]
        assert start["line"] == end["line"]
        marked.append(lines[start["line"]][start["character"] : end["character"]])
        assert (d["source"], d["severity"]) == ("agentbench", 1)
        (related,) = d["relatedInformation"]
        assert related["location"]["uri"] == editor.trajectory
        assert related["message"] == "step 1 of the agent"
    assert marked == ['"alpha"', '"a.txt"', '"false"']
    assert [d["data"]["oracle_type"] for d in found] == ["assertion_exists", "file_not_modified", "test_must_pass"]
    assert [d["message"].splitlines() for d in found] == [
        [
            "pattern `alpha` is not found in a.txt",
            "it passed until step 1 (write_file)",
            "was:    alpha",
            "became: beta",
        ],
        [
            "a.txt was modified (6 bytes before, 5 after)",
            "it passed until step 1 (write_file)",
            "@@ -1 +1 @@",
            "-alpha",
            "+beta",
        ],
        ["exit code 1", "the last edit is step 1 (write_file)"],
    ]
    assert [d["message"].splitlines()[0] for d in found] == [o["message"] for o in report["tasks"][0]["oracles"][:3]]


def test_the_report_is_that_of_the_command_line(editor: Editor) -> None:
    import subprocess
    import sys

    oracles = (exists("a.txt", "alpha"), must_pass("echo x; exit 3"), {"type": "no_network"})
    editor.open(*oracles)
    save(editor.folder / "t.task.json", task_dict(*oracles))
    save(editor.folder / "j.trajectory.json", {"steps": STEPS})
    command = [
        sys.executable,
        "-m",
        "agentbench_lsp",
        "run",
        "--task",
        "t.task.json",
        "--trajectory",
        "j.trajectory.json",
        "--json",
    ]
    done = subprocess.run(command, cwd=editor.folder, capture_output=True, text=True, check=False)

    def comparable(report: dict[str, Any]) -> dict[str, Any]:
        report["tasks"][0].pop("task_file")
        for oracle in report["tasks"][0]["oracles"]:
            oracle.pop("seconds")
        return report

    assert comparable(editor.evaluate()["result"]) == comparable(json.loads(done.stdout))


def test_a_later_evaluation_that_passes_clears_them(editor: Editor) -> None:
    editor.open(unmodified("a.txt"))
    editor.evaluate()
    assert len(editor.failures()) == 1
    editor.client.change(editor.trajectory, 2, {"text": '{"steps": []}'})
    assert editor.failures() == []  # another trajectory: what was found no longer holds
    assert editor.evaluate()["result"]["passed"]
    assert editor.failures() == []


def waiting(editor: Editor, *oracles: dict[str, Any]) -> tuple[int, Path]:
    """Start an evaluation that waits for a pipe to be written: id of the request, the pipe."""
    pipe = editor.folder / "go"
    os.mkfifo(pipe)
    editor.open(must_pass(f"cat {pipe}; false"), *oracles)
    argument = {"task": editor.task, "trajectory": editor.trajectory}
    params = {"command": "agentbench.evaluate", "arguments": [argument]}
    return editor.client.start("workspace/executeCommand", params), pipe


def test_what_was_found_with_an_older_trajectory_is_not_shown(editor: Editor) -> None:
    request, pipe = waiting(editor, unmodified("a.txt"))
    editor.client.change(editor.trajectory, 2, {"text": '{"steps": []}'})
    pipe.write_text("")
    assert not editor.client.answer(request)["result"]["passed"]
    assert editor.evaluate(oracle=1)["result"]["passed"]
    assert editor.failures() == []


def test_a_newer_evaluation_of_the_same_task_replaces_the_older(editor: Editor) -> None:
    request, pipe = waiting(editor)
    editor.client.change(editor.task, 2, {"text": json.dumps(task_dict({"type": "no_network"}))})
    assert editor.failures() == []
    assert editor.evaluate()["result"]["passed"]
    answer = editor.client.answer(request)
    assert answer["error"] == {"code": -32802, "message": "a newer evaluation of this task took its place"}
    assert editor.failures() == []
    editor.client.change(editor.task, 3, {"text": json.dumps(task_dict(must_pass(f"cat {pipe}; false")))})
    assert editor.failures() == []


def test_evaluations_of_other_tasks_wait_for_their_turn(editor: Editor) -> None:
    request, pipe = waiting(editor)
    other = uri_of(editor.folder / "other.task.json")
    editor.client.open(other, json.dumps(task_dict(unmodified("a.txt"))))
    argument = {"task": other, "trajectory": editor.trajectory}
    params = {"command": "agentbench.evaluate", "arguments": [argument]}
    second = editor.client.start("workspace/executeCommand", params)
    pipe.write_text("")
    assert not editor.client.answer(request)["result"]["passed"]
    assert not editor.client.answer(second)["result"]["passed"]


def test_a_client_that_pulls_is_told_to_pull_again(tmp_path: Path) -> None:
    capabilities = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with RawClient() as client:
        client.initialize(capabilities)
        editor = Editor(client, tmp_path)
        client.open(editor.task, json.dumps(task_dict(unmodified("a.txt"))))
        client.open(editor.trajectory, json.dumps({"steps": STEPS}))
        assert not editor.evaluate()["result"]["passed"]
        report = client.request("textDocument/diagnostic", {"textDocument": {"uri": editor.task}})["result"]
        assert [d["code"] for d in report["items"]] == ["oracle-failed"]
        assert client.requests == ["workspace/diagnostic/refresh"]
        assert client.notifications.empty()


def test_a_uri_may_be_spelled_in_other_ways(editor: Editor) -> None:
    editor.task = uri_of(editor.folder / "a b (é).task.json")
    editor.open(unmodified("a.txt"))
    other = (
        editor.task.replace("%28", "(")
        .replace("(", "%28")
        .replace("%C3%A9", "%c3%a9")
        .replace("task.json", "t%61sk.json")
    )
    assert other != editor.task
    assert not editor.client.evaluate(other, editor.trajectory)["result"]["passed"]
    assert len(editor.failures()) == 1


def test_files_that_are_not_open_are_read(editor: Editor) -> None:
    task = save(editor.folder / "other.json", task_dict())
    recording = save(editor.folder / "r.json", {"steps": []})
    assert editor.client.evaluate(uri_of(task), uri_of(recording))["result"]["passed"]


@pytest.mark.parametrize(
    ("task", "steps", "says"),
    [
        ("{", "{}", "t.task.json: not valid JSON at line 1, column 2"),
        ('{"id": "x"}', '{"steps": []}', "the field 'oracles' is missing"),
        (json.dumps(task_dict()), '{"steps": 1}', "j.trajectory.json: not a valid document"),
        (json.dumps(task_dict()), "", "j.trajectory.json: not valid JSON"),
    ],
)
def test_bad_input_is_an_error_that_says_what_is_wrong(editor: Editor, task: str, steps: str, says: str) -> None:
    editor.client.open(editor.task, task)
    editor.client.open(editor.trajectory, steps)
    answer = editor.evaluate()
    assert says in answer["error"]["message"]
    assert answer["error"]["code"] == -32803
    editor.client.change(editor.task, 2, {"text": json.dumps(task_dict())})
    editor.client.change(editor.trajectory, 2, {"text": '{"steps": []}'})
    assert editor.evaluate()["result"]["passed"]


@pytest.mark.parametrize(
    "argument",
    [
        {},
        {"task": 3, "trajectory": "file:///x"},
        {"task": "untitled:x", "trajectory": "file:///x"},
        {"task": "file:///gone.json", "trajectory": "file:///gone.json"},
        {"task": "file:///", "trajectory": "file:///"},
        {"task": "file:///dev/zero", "trajectory": "file:///dev/zero"},
    ],
)
def test_bad_arguments(editor: Editor, argument: dict[str, Any]) -> None:
    params = {"command": "agentbench.evaluate", "arguments": [argument]}
    assert editor.client.request("workspace/executeCommand", params)["error"]["code"] == -32602


@pytest.mark.parametrize("oracle", [-1, "0", 1.5, True, 9])
def test_a_bad_index(editor: Editor, oracle: object) -> None:
    editor.open()
    assert "oracle" in editor.evaluate(oracle=oracle)["error"]["message"]


def running(editor: Editor) -> tuple[int, int]:
    """Start an evaluation whose command runs until it is ended: id of the request, pid of the command."""
    fifo = editor.folder / "started"
    os.mkfifo(fifo)
    editor.open(must_pass(f"echo $$ > {fifo}; sleep 600; true"))
    argument = {"task": editor.task, "trajectory": editor.trajectory}
    request = editor.client.start(
        "workspace/executeCommand", {"command": "agentbench.evaluate", "arguments": [argument]}
    )
    return request, int(fifo.read_text())


def assert_gone(editor: Editor, pid: int) -> None:
    """The command has ended, and nothing of the evaluation is left on disk."""
    assert not is_alive(pid), editor.client.stderr()
    assert list((editor.folder / "tmp").iterdir()) == [], editor.client.stderr()


def test_cancelling_ends_the_command_and_its_folder(editor: Editor) -> None:
    request, pid = running(editor)
    editor.client.notify("$/cancelRequest", {"id": request})
    assert editor.client.answer(request)["error"]["code"] == -32800
    assert editor.client.shutdown() == 0
    assert_gone(editor, pid)


def test_other_requests_are_answered_while_one_is_evaluated(editor: Editor) -> None:
    _, pid = running(editor)
    place = {"textDocument": {"uri": editor.task}, "position": {"line": 0, "character": 1}}
    for _ in range(20):
        assert "result" in editor.client.request("textDocument/completion", place)
    assert is_alive(pid)


@pytest.mark.parametrize("end", ["shutdown", "exit", "eof"])
def test_the_end_of_the_server_is_the_end_of_its_work(editor: Editor, end: str) -> None:
    _, pid = running(editor)
    if end == "shutdown":
        assert editor.client.shutdown() == 0
    elif end == "exit":
        editor.client.notify("exit")
        assert editor.client.wait() == 1
    else:
        editor.client.stdin.close()
        assert editor.client.wait() == 1
    assert_gone(editor, pid)


def test_even_a_killed_server_leaves_nothing(editor: Editor) -> None:
    """The worker ends itself when its stdin does; a pipe that only it and its command hold tells when that is."""
    _, pid = running(editor)
    server = editor.client.process.pid
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    handles = [os.pidfd_open(each) for each in (pid, *map(int, children))]
    editor.client.process.kill()
    editor.client.wait()
    for handle in handles:
        assert select.select([handle], [], [], 20)[0]
        os.close(handle)
    assert_gone(editor, pid)


def test_what_a_command_prints_does_not_reach_the_client(editor: Editor) -> None:
    editor.open(must_pass("echo out; echo err >&2; echo tty > /dev/tty 2> /dev/null; true"))
    assert editor.evaluate()["result"]["passed"]
    assert editor.client.junk == []

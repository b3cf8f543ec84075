"""A failure says which oracle, where in the task, at which step of the agent, and why."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from tests.helpers.bench import Bench
from tests.helpers.build import bash, exists, must_pass, replace, unmodified, write

STEPS = [bash("ls"), write("a.txt", "alpha!\n"), write("a.txt", "beta\n"), write("b.txt", "x")]


def related(diagnostic: types.Diagnostic) -> list[tuple[str, str]]:
    return [(r.location.uri.rpartition("/")[2], r.message) for r in diagnostic.related_information or ()]


async def test_a_regex_that_stopped_matching(bench: Bench) -> None:
    bench.set_up(exists("a.txt", "alpha"), steps=STEPS)
    await bench.evaluate()
    (failure,) = await bench.shown(bench.task, "oracle-failed")
    assert bench.marked(bench.task, failure) == '"alpha"'
    assert failure.message.splitlines() == [
        "pattern `alpha` is not found in a.txt",
        "it passed until step 2 (write_file)",
        "was:    alpha!",
        "became: beta",
    ]
    assert related(failure) == [("j.trajectory.json", "step 2 of the agent")]
    (step,) = await bench.shown(bench.trajectory, "step-broke-oracle")
    assert bench.marked(bench.trajectory, step) == '"write_file"'
    assert step.range.start.line == failure.related_information[0].location.range.start.line  # type: ignore[index]
    assert step.message == ("oracle 0 (assertion_exists) of t.task.json fails: pattern `alpha` is not found in a.txt")
    assert related(step) == [("t.task.json", "oracle 0 of t.task.json")]


async def test_a_protected_file(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"), steps=STEPS)
    await bench.evaluate()
    (failure,) = await bench.shown(bench.task, "oracle-failed")
    assert bench.marked(bench.task, failure) == '"a.txt"'
    assert failure.message.splitlines() == [
        "a.txt was modified (6 bytes before, 5 after)",
        "it passed until step 1 (write_file)",
        "@@ -1 +1 @@",
        "-alpha",
        "+beta",
    ]
    await bench.shown(bench.trajectory, "step-broke-oracle")


async def test_every_step_that_reaches_for_the_network(bench: Bench) -> None:
    steps = [bash("curl x"), bash("ls"), write("a.txt", "import requests\nrequests.get(u)"), {"note": "http://x"}]
    bench.set_up({"type": "no_network"}, steps=steps)
    await bench.evaluate()
    (failure,) = await bench.shown(bench.task, "oracle-failed")
    assert bench.marked(bench.task, failure) == '"no_network"'
    assert [step for _, step in related(failure)] == [f"step {i} of the agent" for i in (0, 2, 3)]
    found = await bench.shown(bench.trajectory, *["step-broke-oracle"] * 3)
    assert [d.message.partition("fails: ")[2] for d in found] == [
        "step 0 (bash) holds 'curl' in its command",
        "step 2 (write_file) holds 'requests.' in its written content",
        "step 3 holds 'http://' in its other data",
    ]


@pytest.mark.parametrize(
    ("command", "outcome", "message"),
    [
        ("exit 3", "command-failed", "exit code 3"),
        ("kill -9 $$", "killed", "killed by signal 9 (SIGKILL)"),
        ("bash -c 'kill -15 $$'; exit $?", "killed", "killed by signal 15 (SIGTERM)"),
        ("sleep 60", "timed-out", "timed out after 0.2 s"),
        ("no-such-tool", "tool-missing", "interpreter or tool missing (exit code 127): "),
        ("./a.txt", "tool-missing", "interpreter or tool missing (exit code 126): "),
        ("python -m no_such_module", "tool-missing", "interpreter or tool missing (exit code 1): "),
        ("echo 'collected 0 items'; exit 5", "no-tests-ran", "0 tests ran (exit code 5): collected 0 items"),
        ("echo 'Ran 0 tests in 0.000s' >&2; exit 5", "no-tests-ran", "0 tests ran (exit code 5): "),
        ("echo '1 failed in 0.1s'; exit 1", "tests-failed", "tests failed (exit code 1): 1 failed in 0.1s"),
    ],
)
async def test_how_a_command_failed(bench: Bench, command: str, outcome: str, message: str) -> None:
    bench.set_up(must_pass(command, timeout=0.2 if "sleep" in command else 60), steps=STEPS)
    (result,) = await bench.evaluate()
    assert (result["details"]["outcome"], result["passed"]) == (outcome, False)
    (failure,) = await bench.shown(bench.task, "oracle-failed")
    assert failure.message.startswith(message)
    assert bench.marked(bench.task, failure).startswith(f'"{command[:10]}')


PYTEST = """import sys; print('''F  [100%]
=== FAILURES ===
    def test_add():
>       assert add(1, 2) == 3
E       assert 4 == 3
FAILED test_add.py::test_add - assert 4 == 3
1 failed in 0.01s'''); sys.exit(1)"""


async def test_the_telling_lines_and_the_whole_output_behind_a_command(bench: Bench) -> None:
    oracle = must_pass("python run.py")
    bench.set_up(oracle, steps=STEPS, workspace={"run.py": PYTEST, "a.txt": ""})
    await bench.evaluate()
    (failure,) = await bench.shown(bench.task, "oracle-failed")
    assert failure.message.splitlines() == [
        "tests failed (exit code 1): F  [100%]",
        "the last edit is step 3 (write_file)",
        "E       assert 4 == 3",
        "FAILED test_add.py::test_add - assert 4 == 3",
    ]
    shown = await bench.command("showOutput", {"task": bench.task, "oracle": 0})
    assert shown["shown"] is True
    assert ">       assert add(1, 2) == 3" in shown["text"]
    (document,) = bench.client.shown_documents
    assert document.uri.endswith(".txt")


BREAKS = [write("a.txt", f"{i} {'bad' if i >= 5 else 'good'}\n") for i in range(9)]


async def test_bisecting_finds_the_step_after_which_a_command_fails(bench: Bench) -> None:
    bench.set_up(must_pass("grep -q good a.txt"), steps=BREAKS, workspace={"a.txt": "good\n"})
    await bench.evaluate()
    await bench.shown(bench.trajectory)  # an edit that is only the last is not to blame
    argument = {"task": bench.task, "trajectory": bench.trajectory, "oracle": 0}
    found = await bench.command("bisect", argument)
    assert found == {"status": "broken", "step": 5, "runs": found["runs"], "states": 10, "complete": True}
    assert found["runs"] <= 6  # 10 states
    (step,) = await bench.shown(bench.trajectory, "step-broke-oracle")
    assert step.message.endswith(f"the command passes until step 5 ({found['runs']} runs)")
    (failure,) = await bench.shown(bench.task, "oracle-failed")
    assert related(failure) == [("j.trajectory.json", "step 5 of the agent")]


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("false", {"status": "never-passed", "step": None, "runs": 10, "states": 10, "complete": True}),
        ("grep -q bad a.txt", {"status": "passes", "step": None, "runs": 1, "states": 10, "complete": True}),
        ("grep -q '^[67]' a.txt", {"status": "broken", "step": 8}),  # it fails at first, too
    ],
)
async def test_bisecting_where_it_failed_at_first(bench: Bench, command: str, found: dict[str, Any]) -> None:
    bench.set_up(must_pass(command), steps=BREAKS, workspace={"a.txt": "good\n"})
    answer = await bench.command("bisect", {"task": bench.task, "trajectory": bench.trajectory, "oracle": 0})
    assert answer == {**answer, **found}


PASSES_ANYWAY = "the command passes on the untouched workspace too, so it does not tell what the agent did"


@pytest.mark.parametrize(
    ("oracle", "steps", "says"),
    [
        (
            unmodified("a.txt"),
            [bash("sed -i s/a/b/ a.txt")],
            "step 0: the command may have changed a.txt; replay does not run commands",
        ),
        (
            unmodified("a.txt"),
            [replace("a.txt", "nowhere", "x")],
            "step 0: the edit of a.txt was not applied: old_string is not in the file",
        ),
        (
            unmodified("a.txt"),
            [write("/elsewhere/deep/a.txt", "x"), write("/work/b.txt", "x")],
            "outside the workspace",
        ),
        (must_pass("true"), [write("a.txt", "x")], PASSES_ANYWAY),
        (must_pass("echo 'Ran 0 tests in 0.000s'"), [write("a.txt", "x")], "0 tests ran"),
    ],
)
async def test_passing_with_a_warning(
    bench: Bench, oracle: dict[str, Any], steps: list[dict[str, Any]], says: str
) -> None:
    workspace = {"a.txt": "alpha\n", "b.txt": ""}
    bench.set_up(oracle, steps=steps, workspace=workspace)
    if "/elsewhere" in str(steps):
        bench.replace(bench.trajectory, '"steps"', '"metadata": {"cwd": "/work"}, "steps"')
    (result,) = await bench.evaluate()
    assert result["passed"]
    (warning,) = await bench.shown(bench.task, "passes-with-warning")
    assert warning.severity == types.DiagnosticSeverity.Warning
    assert warning.message.startswith("passed, but ")
    assert says in warning.message

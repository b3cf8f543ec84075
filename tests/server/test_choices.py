"""Which trajectory, the baseline, and what can be done about a failure."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.helpers.bench import Bench
from tests.helpers.build import exists, must_pass, save, unmodified, write
from tests.helpers.raw_client import uri_of

STEPS = [write("a.txt", "Alpha\n")]

# Which trajectory


async def offered(bench: Bench) -> list[tuple[str, str]]:
    found = await bench.client.protocol.send_request_async("agentbench/trajectories", {"task": bench.task})
    return [(each["name"], each["reason"]) for each in found]


async def test_the_candidates_with_their_reasons(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"), steps=STEPS)
    assert await offered(bench) == []
    save(bench.folder / "t.trajectory.json", {"steps": STEPS})
    save(bench.folder / "trajectories" / "t.bad.json", {"steps": STEPS})
    save(bench.folder / "runs" / "x.json", {"steps": STEPS, "metadata": {"task": "t"}})
    save(bench.folder / "m.manifest.json", {"task_files": ["t.task.json"], "trajectory": "runs/x.json"})
    events = [types.FileEvent(uri_of(path), types.FileChangeType.Created) for path in bench.folder.rglob("*.json")]
    bench.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    assert await offered(bench) == [
        ("x.json", "the run of m.manifest.json, which lists the task"),
        ("t.trajectory.json", "beside the task, named like the task"),
        ("t.bad.json", "in trajectories, named like the task"),
    ]
    await bench.evaluate(trajectory=uri_of(bench.folder / "t.trajectory.json"))
    await bench.evaluate()  # with one that nothing else would offer
    assert (await offered(bench))[3:] == [("j.trajectory.json", "used last")]


async def test_without_one_the_only_one_there_is_is_used(bench: Bench) -> None:
    save(bench.folder / "t.trajectory.json", {"steps": STEPS})
    bench.set_up(unmodified("a.txt"))
    report = await bench.command("evaluate", {"task": bench.task})
    assert not report["passed"]
    await bench.shown(bench.task, "oracle-failed")


@pytest.mark.parametrize("choice", ["t.bad.json (in trajectories, named like the task)", None])
async def test_without_one_a_plain_client_is_asked(bench: Bench, choice: str | None) -> None:
    save(bench.folder / "t.trajectory.json", {"steps": []})
    save(bench.folder / "trajectories" / "t.bad.json", {"steps": STEPS})
    asked: list[types.ShowMessageRequestParams] = []

    @bench.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    def answer(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        asked.append(params)
        return types.MessageActionItem(choice) if choice else None

    bench.set_up(unmodified("a.txt"))
    request = bench.command("evaluate", {"task": bench.task})
    if choice:
        assert not (await request)["passed"]
    else:
        with pytest.raises(JsonRpcException, match="no trajectory was chosen"):
            await request
    (question,) = asked
    assert [action.title for action in question.actions or []] == [
        "t.trajectory.json (beside the task, named like the task)",
        "t.bad.json (in trajectories, named like the task)",
    ]


async def test_without_any_it_says_what_to_do(bench: Bench) -> None:
    bench.set_up()
    told = "no trajectory belongs to this task: name one, or save it as t.trajectory.json beside it"
    with pytest.raises(JsonRpcException, match=told):
        await bench.command("evaluate", {"task": bench.task})


# The baseline


async def test_what_passes_before_the_agent_does_anything(bench: Bench) -> None:
    bench.set_up(must_pass("true"), exists("a.txt", "alpha"), unmodified("a.txt"), exists("a.txt", "omega"))
    report = await bench.command("baseline", {"task": bench.task})
    task = report["tasks"][0]
    assert (task["baseline"], task["passed"]) == (True, False)
    assert [o["details"]["baseline"]["state"] for o in task["oracles"]] == ["passes", "passes", "guard", "fails"]
    found = await bench.shown(bench.task, "passes-at-baseline", "passes-at-baseline")
    assert all(d.message.startswith("measures nothing yet: ") for d in found)
    assert "Let it check what the prompt asks for" in found[0].message
    bench.replace(bench.task, '"alpha"', '"beta"')
    await bench.shown(bench.task, "passes-at-baseline")


async def test_a_whole_task_that_measures_nothing(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"), {"type": "no_network"})
    assert (await bench.command("baseline", {"task": bench.task}))["passed"]
    (warning,) = await bench.shown(bench.task, "measures-nothing")
    assert bench.marked(bench.task, warning) == '"oracles"'
    assert "an agent that does nothing solves the task" in warning.message
    assert "add an oracle that fails until the work is done" in warning.message


@pytest.mark.options(baselineOnSave=True)
async def test_the_baseline_on_save_of_a_task_without_commands(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"))
    bench.save(bench.task)
    await bench.shown(bench.task, "measures-nothing")
    bench.set_up(unmodified("a.txt"), must_pass(f"touch {bench.folder / 'ran'}"))
    await bench.shown(bench.task)
    bench.save(bench.task)
    await bench.evaluate(oracle=0)  # whatever was started before has its turn before this
    assert not (bench.folder / "ran").exists()


# What can be done about a failure


async def failed(bench: Bench, *oracles: dict[str, Any]) -> dict[str, types.CodeAction]:
    bench.set_up(*oracles, steps=STEPS)
    await bench.evaluate()
    (failure,) = await bench.shown(bench.task, "oracle-failed")
    return await bench.actions(failure)


async def run(bench: Bench, action: types.CodeAction) -> Any:
    assert action.command is not None
    assert action.command.arguments is not None
    return await bench.command(action.command.command.removeprefix("agentbench."), action.command.arguments[0])


async def test_of_a_protected_file(bench: Bench) -> None:
    actions = await failed(bench, unmodified("a.txt"))
    assert [title for title, action in actions.items() if action.command] == [
        "Open step 0 of the trajectory",
        "Show the diff of the protected file",
        "Evaluate only this oracle again",
        "Show the report",
    ]
    shown = await run(bench, actions["Show the diff of the protected file"])
    assert (shown["before"], shown["after"]) == ("alpha\n", "Alpha\n")
    assert shown["diff"].splitlines() == ["--- a.txt", "+++ a.txt", "@@ -1 +1 @@", "-alpha", "+Alpha"]
    assert bench.client.shown_documents[-1].uri.endswith("a.txt.diff")
    await run(bench, actions["Open step 0 of the trajectory"])
    step = bench.client.shown_documents[-1]
    (blamed,) = await bench.shown(bench.trajectory, "step-broke-oracle")
    assert (step.uri, step.selection) == (bench.trajectory, blamed.range)
    assert (await run(bench, actions["Evaluate only this oracle again"]))["passed"] is False
    shown = await run(bench, actions["Show the report"])
    assert shown["html"].startswith("<!doctype html>")
    assert bench.client.shown_documents[-1].external is True


async def test_of_a_command(bench: Bench) -> None:
    actions = await failed(bench, must_pass("echo said; grep alpha a.txt"))
    assert "said" in (await run(bench, actions["Open the command's output"]))["text"]
    assert (await run(bench, actions["Find the step after which the command fails"]))["step"] == 0


async def test_loosening_shows_the_pattern_and_what_it_gives_up(bench: Bench) -> None:
    actions = await failed(bench, exists("a.txt", "alpha"))
    action = actions["Loosen to `(?i)alpha` (gives up case)"]
    assert not action.is_preferred
    edit = action.edit
    assert edit is not None
    assert edit.document_changes is not None
    change = edit.document_changes[0]
    assert isinstance(change, types.TextDocumentEdit)
    assert [e.new_text for e in change.edits if isinstance(e, types.TextEdit | types.AnnotatedTextEdit)] == [
        '"(?i)alpha"'
    ]
    bench.replace(bench.task, '"alpha"', '"(?i)alpha"')
    assert (await bench.evaluate())[0]["passed"]


async def test_there_is_nothing_to_show_of_what_was_not_evaluated(bench: Bench) -> None:
    bench.set_up(must_pass("false"), steps=STEPS)
    with pytest.raises(JsonRpcException, match="oracle 0 has not been evaluated as it is now"):
        await bench.command("showOutput", {"task": bench.task, "oracle": 0})
    await bench.evaluate()
    bench.replace(bench.task, '"false"', '"exit 2"')
    with pytest.raises(JsonRpcException, match="oracle 0 has not been evaluated as it is now"):
        await bench.command("showOutput", {"task": bench.task, "oracle": 0})


@pytest.mark.parametrize("name", ["bisect", "showOutput", "showStep", "showDiff"])
async def test_an_oracle_must_be_named(bench: Bench, name: str) -> None:
    bench.set_up(must_pass("false"), steps=STEPS)
    with pytest.raises(JsonRpcException, match="oracle is missing: the index of one"):
        await bench.command(name, {"task": bench.task, "trajectory": bench.trajectory})


async def test_what_cannot_be_bisected(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"), steps=STEPS)
    argument = {"task": bench.task, "trajectory": bench.trajectory}
    with pytest.raises(JsonRpcException, match="runs no command; its failure names the step"):
        await bench.command("bisect", {**argument, "oracle": 0})
    with pytest.raises(JsonRpcException, match="the task has no oracle 4"):
        await bench.command("bisect", {**argument, "oracle": 4})


async def test_the_lens_says_what_the_last_verdict_was(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"), {"type": "no_network"}, steps=STEPS)
    await bench.evaluate()
    params = types.CodeLensParams(types.TextDocumentIdentifier(bench.task))
    lenses = await bench.client.text_document_code_lens_async(params)
    titles = [lens.command.title for lens in lenses or [] if lens.command]
    assert titles == [
        "✗ 1 of 2 failed (j.trajectory.json)",
        "Evaluate against j.trajectory.json",
        "Baseline",
    ]
    assert json.loads(bench.texts[bench.task])["id"] == "t"

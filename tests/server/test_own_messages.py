"""What a client with views of its own asks for: lists, results, workspace files, changes, new tasks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.helpers.bench import Bench
from tests.helpers.build import exists, must_pass, save, task_dict, unmodified, write
from tests.helpers.raw_client import uri_of
from tests.importers.test_importers import EDIT, EDITED, claude

STEPS = [write("a.txt", "Alpha\n"), write("new.txt", "1\n"), write("a.txt", "Alpha\nbeta\n")]


async def ask(bench: Bench, method: str, **params: Any) -> Any:
    return plain(await bench.client.protocol.send_request_async(f"agentbench/{method}", params))


def plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: plain(child) for key, child in value.items()}
    return [plain(child) for child in value] if isinstance(value, list | tuple) else value


async def test_the_documents_of_the_workspace(bench: Bench) -> None:
    save(bench.folder / "tasks" / "one.json", task_dict(unmodified("a.txt")))
    save(bench.folder / "tasks" / "manifest.json", {"task_files": ["one.json", "gone.json"]})
    save(bench.folder / "run.json", {"steps": [], "metadata": {}})
    save(bench.folder / "package.json", {"name": "x"})
    found = await ask(bench, "documents")
    assert sorted((each["kind"], each["uri"].rpartition("/")[2]) for each in found) == [
        ("manifest", "manifest.json"),
        ("task", "one.json"),
        ("trajectory", "run.json"),
    ]
    (one,) = await ask(bench, "documents", uri=uri_of(bench.folder / "tasks" / "one.json"))
    assert [(o["index"], o["type"], o["target"]) for o in one["oracles"]] == [(0, "file_not_modified", "a.txt")]
    (manifest,) = await ask(bench, "documents", uri=uri_of(bench.folder / "tasks" / "manifest.json"))
    assert manifest["tasks"] == [one["uri"]]
    assert await ask(bench, "documents", uri=uri_of(bench.folder / "package.json")) == []


@pytest.mark.options(notifyResults=True)
async def test_results_follow_the_document_and_can_be_cleared(bench: Bench) -> None:
    told: list[list[str]] = []
    bench.client.feature("agentbench/resultsChanged")(lambda params: told.append(list(params.uris)))
    bench.set_up(
        unmodified("a.txt"), exists("a.txt", "Alpha"), must_pass("no-such-tool-here"), exists("a.txt", "("), steps=STEPS
    )
    assert await ask(bench, "results", task=bench.task) is None
    await bench.evaluate()
    await bench.until(lambda: any(bench.task in uris for uris in told))
    results = await ask(bench, "results", task=bench.task)
    assert [each["state"] for each in results["oracles"]] == ["failed", "passed", "errored", "errored"]
    assert (results["of"], results["trajectory"]) == (4, bench.trajectory)
    assert results["oracles"][0]["comparable"]
    assert [step["step"] for step in results["oracles"][0]["steps"]] == [0]
    bench.replace(bench.task, '"Alpha"', '"Beta"')  # that oracle's verdict holds no more
    assert [each["index"] for each in (await ask(bench, "results", task=bench.task))["oracles"]] == [0, 2, 3]
    assert await bench.command("clear", {"task": bench.task}) == 2
    await bench.shown(bench.task, "invalid-regex")
    assert await ask(bench, "results", task=bench.task) is None


async def test_a_workspace_file_is_read_written_renamed_deleted(bench: Bench) -> None:
    bench.set_up(unmodified("a.txt"), must_pass("python run.py"), workspace={"a.txt": "é\r\n", "run.py": "1"})
    assert await ask(bench, "readWorkspaceFile", task=bench.task, path="./a.txt") == {"text": "é\r\n"}
    edit = await ask(bench, "writeWorkspaceFile", task=bench.task, path="a.txt", text="éü\r\n")
    (change,) = edit["documentChanges"]
    assert change["textDocument"] == {"uri": bench.task, "version": 1}
    assert [each["newText"] for each in change["edits"]] == [r"\u00fc"]  # as the string is written already
    edit = await ask(bench, "renameWorkspaceFile", task=bench.task, path="run.py", to="main.py")
    assert [each["newText"] for each in edit["documentChanges"][0]["edits"]] == ["main.py", "main.py"]
    assert (await ask(bench, "deleteWorkspaceFile", task=bench.task, path="a.txt"))["oracles"] == [0]
    with pytest.raises(JsonRpcException, match=r"has no file 'b\.txt'"):
        await ask(bench, "readWorkspaceFile", task=bench.task, path="b.txt")
    bench.change(bench.task, json.dumps(task_dict(workspace={"a.txt": "\ud800"})))
    with pytest.raises(JsonRpcException, match="half of a surrogate pair"):
        await ask(bench, "readWorkspaceFile", task=bench.task, path="a.txt")


async def test_a_workspace_file_of_a_task_that_is_not_open(bench: Bench) -> None:
    path = save(bench.folder / "closed.task.json", task_dict(workspace={"a.txt": "1"}))
    edit = await ask(bench, "writeWorkspaceFile", task=uri_of(path), path="a.txt", text="12")
    assert edit["documentChanges"][0]["textDocument"]["version"] is None


async def test_the_changes_of_each_step(bench: Bench) -> None:
    bench.set_up(steps=STEPS, workspace={"a.txt": "alpha\n"})
    found = await ask(bench, "changes", task=bench.task, trajectory=bench.trajectory)
    assert [(s["step"], s["path"], s["before"], s["after"]) for s in found["steps"]] == [
        (0, "a.txt", "alpha\n", "Alpha\n"),
        (1, "new.txt", None, "1\n"),
        (2, "a.txt", "Alpha\n", "Alpha\nbeta\n"),
    ]
    assert [(f["path"], f["before"], f["after"]) for f in found["files"]] == [
        ("a.txt", "alpha\n", "Alpha\nbeta\n"),
        ("new.txt", None, "1\n"),
    ]


async def test_a_new_task_from_a_folder(bench: Bench) -> None:
    folder = bench.folder / "project"
    save(folder / "data.json", {"x": 1})
    (folder / "binary").write_bytes(b"\0")
    offered = await ask(bench, "folderFiles", folder=uri_of(folder))
    assert {each["path"]: each["refused"] for each in offered} == {"binary": "it is binary", "data.json": None}
    made = await ask(bench, "newTask", id="x-1", folder=uri_of(folder), files=["data.json"])
    assert made["name"] == "x-1.task.json"
    assert list(json.loads(made["text"])["workspace"]) == ["data.json"]
    for params, reason in (
        ({"id": "../x"}, "cannot be a task's id"),
        ({"id": "x", "folder": uri_of(folder), "files": ["binary"]}, "it is binary"),
        ({"id": "x", "folder": uri_of(folder), "files": ["../t.task.json"]}, "is no file of"),
        ({"id": "x", "folder": uri_of(folder)}, "files must be a list"),
    ):
        with pytest.raises(JsonRpcException, match=reason):
            await ask(bench, "newTask", **params)


async def test_unasked_the_likeliest_trajectory_is_taken(bench: Bench) -> None:
    bench.set_up(exists("a.txt", "Alpha"))
    with pytest.raises(JsonRpcException, match="no trajectory belongs"):
        await bench.command("evaluate", {"task": bench.task, "ask": False})
    save(bench.folder / "t.trajectory.json", {"steps": STEPS})
    save(bench.folder / "trajectories" / "t.bad.json", {"steps": []})
    events = [types.FileEvent(uri_of(path), types.FileChangeType.Created) for path in bench.folder.rglob("*.json")]
    bench.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    assert (await bench.command("evaluate", {"task": bench.task, "ask": False}))["passed"]


@pytest.mark.options(syntaxErrorsElsewhere=["json"])
async def test_syntax_errors_are_left_to_a_client_that_reports_them_for_a_language(bench: Bench) -> None:
    broken = json.dumps(task_dict(exists("a.txt", "Alpha")))[:-1]
    bench.open(bench.task, broken)
    await bench.shown(bench.task)
    item = types.TextDocumentItem(bench.trajectory, "agentbench-trajectory", 1, '{"steps": [')
    bench.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await bench.shown(bench.trajectory, "json-syntax", "json-syntax")


async def test_a_session_becomes_a_task_and_a_trajectory(bench: Bench) -> None:
    folder = bench.folder / "recorded"
    folder.mkdir()
    path = folder / "s.jsonl"
    path.write_text("\n".join(map(json.dumps, claude(("Edit", EDIT, EDITED, False)))), encoding="utf-8")
    assert [each["name"] for each in await ask(bench, "sessions")] == ["recorded/s.jsonl"]
    params = types.ExecuteCommandParams("agentbench.import", [{"session": uri_of(path), "task": True}])
    made = plain(await bench.client.workspace_execute_command_async(params))
    assert made["task"] == uri_of(folder / "s.task.json")
    assert made["report"]["fidelity"]["applied"] == 1
    task = json.loads((folder / "s.task.json").read_text(encoding="utf-8"))
    assert task["workspace"] == {"a.txt": "one\n"}
    evaluate = [{"task": made["task"], "trajectory": uri_of(path)}]
    params = types.ExecuteCommandParams("agentbench.evaluate", evaluate)
    assert plain(await bench.client.workspace_execute_command_async(params))["passed"] is True

"""Files that are not open, settings, files that change on disk, patterns that cost too much."""

from __future__ import annotations

import json
import os
import select
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.build import exists, must_pass, save, task_dict, unmodified, write
from tests.helpers.raw_client import RawClient, uri_of
from tests.server.test_features import RICH

PUSHED: dict[str, Any] = {"window": {"workDoneProgress": True}}
FAULTY = {"id": "f", "workspace": {}, "oracles": []}
ALL = {"severity": {}}
LINUX = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="reads /proc")


def pull_all(client: RawClient, previous: list[dict[str, str]] | None = None, **more: object) -> list[dict[str, Any]]:
    answer = client.request("workspace/diagnostic", {"previousResultIds": previous or [], **more})
    items: list[dict[str, Any]] = answer["result"]["items"]
    return items


def codes(item: dict[str, Any]) -> set[str]:
    return {d["code"] for d in item["items"]}


def test_files_that_are_not_open_are_pulled_and_pulled_again(tmp_path: Path) -> None:
    bad = save(tmp_path / "deep" / "tasks" / "bad.json", FAULTY)
    save(tmp_path / "tasks" / "good.json", task_dict())
    save(tmp_path / "package.json", {"name": "x"})
    with RawClient() as client:
        client.initialize(RICH, rootUri=uri_of(tmp_path))
        (item,) = pull_all(client)
        assert item["uri"] == uri_of(bad)
        assert {"empty-workspace", "empty-oracles", "missing-field"} <= codes(item)
        previous = [{"uri": item["uri"], "value": item["resultId"]}]
        assert [i["kind"] for i in pull_all(client, previous)] == ["unchanged"]
        save(bad, task_dict())
        assert [(i["kind"], i["items"]) for i in pull_all(client, previous)] == [("full", [])]
        bad.unlink()
        assert [(i["uri"], i["items"]) for i in pull_all(client, previous)] == [(uri_of(bad), [])]


def test_what_the_workspace_shows_is_what_check_and_the_open_document_show(tmp_path: Path) -> None:
    """Patterns too, which only the child may search."""
    task = task_dict(exists("a.txt", "x(1)"), must_pass("true"), workspace={"a.txt": "x(1)"})
    file = save(tmp_path / "t.json", task)
    with RawClient() as client:
        client.initialize(RICH, rootUri=uri_of(tmp_path), initializationOptions=ALL)
        (item,) = pull_all(client)
        client.open(uri_of(file), json.dumps(task))
        opened = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri_of(file)}})["result"]
        assert codes(item) == codes(opened) == {"unescaped-literal"}
        (shown,) = pull_all(client)  # with the version, by which a client knows that its own pull says the same
        assert (shown["version"], shown["resultId"]) == (1, opened["resultId"])
        client.change(uri_of(file), 2, {"text": json.dumps(task_dict(exists("a.txt", "alpha"), must_pass("true")))})
        (shown,) = pull_all(client)  # VS Code names no id of a document whose tab was closed
        assert (shown["kind"], shown["items"]) == ("full", [])


def test_a_recording_is_judged_anew_when_its_task_changes(tmp_path: Path) -> None:
    step = {"tool": "str_replace", "args": {"path": "a.txt", "old_string": "alpha", "new_string": "x"}}
    save(tmp_path / "tasks" / "trajectories" / "t.one.json", {"metadata": {}, "steps": [step]})
    task = save(tmp_path / "tasks" / "t.json", task_dict())
    with RawClient() as client:
        client.initialize(RICH, rootUri=uri_of(tmp_path))
        assert pull_all(client) == []
        save(task, task_dict(workspace={"a.txt": "beta"}))
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(task), "type": 2}]})
        assert [codes(item) for item in pull_all(client)] == [{"edit-does-not-apply"}]


def test_partial_results_and_progress(tmp_path: Path) -> None:
    for i in range(300):
        save(tmp_path / f"t{i}.json", {**FAULTY, "id": str(i)})
    with RawClient() as client:
        client.initialize(RICH, rootUri=uri_of(tmp_path))
        rest = pull_all(client, partialResultToken="part", workDoneToken="work")
        told = [n["params"] for n in list(client.notifications.queue) if n["method"] == "$/progress"]
        parts = [p["value"]["items"] for p in told if p["token"] == "part"]
        assert sum(map(len, parts)) + len(rest) == 300
        assert [p["value"]["kind"] for p in told if p["token"] == "work"] == ["begin", "report", "report", "end"]


def test_a_pull_can_be_cancelled_and_others_are_answered_meanwhile(tmp_path: Path) -> None:
    for i in range(1500):
        save(tmp_path / f"t{i}.json", task_dict(exists("a.txt", "x"), id=str(i)))
    with RawClient() as client:
        client.initialize(RICH, rootUri=uri_of(tmp_path))
        pull = client.start("workspace/diagnostic", {"previousResultIds": []})
        at = {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}
        assert client.request("textDocument/hover", at)["result"] is None
        client.notify("$/cancelRequest", {"id": pull})
        assert client.answer(pull)["error"]["code"] == -32800


def test_a_client_that_does_not_pull_is_told(tmp_path: Path) -> None:
    bad = save(tmp_path / "bad.json", FAULTY)
    with RawClient() as client:
        client.initialize(PUSHED, rootUri=uri_of(tmp_path))
        assert client.diagnostics(uri_of(bad))
        save(bad, task_dict())
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(bad), "type": 2}]})
        assert client.diagnostics(uri_of(bad)) == []
        client.open(uri_of(bad), json.dumps(FAULTY))
        assert client.diagnostics(uri_of(bad))
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(bad)}})
        assert client.diagnostics(uri_of(bad)) == []


def test_several_folders_and_one_that_comes_later(tmp_path: Path) -> None:
    files = [save(tmp_path / name / "bad.json", FAULTY) for name in ("one", "two", "three")]
    folders = [{"uri": uri_of(file.parent), "name": file.parent.name} for file in files]
    with RawClient() as client:
        client.initialize(RICH, workspaceFolders=folders[:2])
        assert {i["uri"] for i in pull_all(client)} == set(map(uri_of, files[:2]))
        change = {"event": {"added": folders[2:], "removed": folders[:1]}}
        client.notify("workspace/didChangeWorkspaceFolders", change)
        assert {i["uri"] for i in pull_all(client)} == set(map(uri_of, files[1:]))


URI = "file:///x/tasks/t.json"
TASK = json.dumps(task_dict({"type": "no_network", "x": 1}))


def severities(client: RawClient) -> dict[str, int]:
    return {d["code"]: d["severity"] for d in client.diagnostics(URI)}


def test_settings_change_without_a_restart() -> None:
    with RawClient() as client:
        client.initialize()
        client.open(URI, TASK)
        assert severities(client) == {"unknown-param": 2}
        for word, expected in (("error", {"unknown-param": 1}), ("hint", {"unknown-param": 4}), ("off", {})):
            settings = {"agentbench": {"severity": {"unknown-param": word}}}
            client.notify("workspace/didChangeConfiguration", {"settings": settings})
            assert severities(client) == expected
        settings = {"agentbench": {"severity": {"unknown-parm": "off", "unknown-param": "loud"}}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert severities(client) == {"unknown-param": 2}
        logged = [n["params"]["message"] for n in client.seen if n["method"] == "window/logMessage"]
        assert any("did you mean 'unknown-param'" in message for message in logged)
        assert any("must be one of error, warning" in message for message in logged)


def test_settings_are_asked_for_where_the_client_has_them() -> None:
    with RawClient(answers={"workspace/configuration": [{"severity": {"unknown-param": "error"}}]}) as client:
        client.initialize({"workspace": {"configuration": True}})
        client.open(URI, TASK)
        while severities(client) != {"unknown-param": 1}:
            pass


def test_the_projects_settings_and_the_files_own(tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.agentbench.severity]\nunknown-param = "hint"\n', encoding="utf-8")
    uri = uri_of(tmp_path / "t.json")
    with RawClient() as client:
        client.initialize()
        client.open(uri, TASK)
        assert [d["severity"] for d in client.diagnostics(uri)] == [4]
        project.write_text('[tool.agentbench.per-file-ignores]\n"t.*" = ["unknown-param"]\n', encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(project), "type": 2}]})
        assert client.diagnostics(uri) == []
        project.unlink()
        client.change(uri, 2, {"text": TASK.replace('"id"', '"ignore_rules": ["unknown-param"], "id"')})
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(project), "type": 3}]})
        assert client.diagnostics(uri) == []


def test_a_pattern_that_never_ends_stops_nobody() -> None:
    """The child gives up on it; the server answers meanwhile, and other patterns are judged after it."""
    task = task_dict(exists("a.txt", "(a+)+$"), exists("b.txt", "x("), must_pass("true"))
    task["workspace"] = {"a.txt": "a" * 40 + "!", "b.txt": "nothing"}
    task["oracles"][1]["pattern"] = "Nothing"
    with RawClient() as client:
        client.initialize(RICH, initializationOptions=ALL)
        client.open(URI, json.dumps(task))
        document = {"textDocument": {"uri": URI}}
        found: set[str] = set()
        while "case-only-mismatch" not in found:
            found = codes(client.request("textDocument/diagnostic", document)["result"])
        assert "catastrophic-pattern" in found
        assert "no-match-in-workspace" not in found


def children(client: RawClient) -> list[int]:
    """The children that search patterns."""
    pid = client.process.pid
    started = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return [int(child) for child in started if b"match_worker" in Path(f"/proc/{child}/cmdline").read_bytes()]


@LINUX
def test_a_child_that_was_killed_is_replaced() -> None:
    with RawClient() as client:
        client.initialize(RICH, initializationOptions=ALL)
        task = task_dict(exists("a.txt", "alph."), must_pass("true"))
        client.open(URI, json.dumps(task))
        document = {"textDocument": {"uri": URI}}
        client.request("textDocument/diagnostic", document)
        (child,) = children(client)
        os.kill(child, signal.SIGKILL)
        client.change(URI, 2, {"text": json.dumps(task).replace("alph.", "ALPH.")})
        while "case-only-mismatch" not in codes(client.request("textDocument/diagnostic", document)["result"]):
            pass
        assert children(client) != [child]


def test_a_client_that_pulls_is_told_to_pull_again_only_where_something_is_new() -> None:
    with RawClient() as client:
        client.initialize(RICH, initializationOptions=ALL)
        client.open(URI, json.dumps(task_dict(exists("a.txt", "x(1)"), must_pass("true"), workspace={"a.txt": "x(1)"})))
        document = {"textDocument": {"uri": URI}}
        first = client.request("textDocument/diagnostic", document)["result"]
        assert codes(first) == {"unescaped-literal"}  # it waited for what the pattern matches
        again = {**document, "previousResultId": first["resultId"]}
        assert client.request("textDocument/diagnostic", again)["result"]["kind"] == "unchanged"
        assert "workspace/diagnostic/refresh" not in client.requests


@LINUX
def test_the_child_that_searches_ends_with_the_server() -> None:
    with RawClient() as client:
        client.initialize(RICH, initializationOptions=ALL)
        client.open(URI, json.dumps(task_dict(exists("a.txt", "alpha"))))
        client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        (child,) = children(client)
        descriptor = os.pidfd_open(child)
        client.process.kill()
        ended, _, _ = select.select([descriptor], [], [], 30)
        assert ended


def test_results_of_a_task_that_is_not_open_are_shown_until_it_changes(tmp_path: Path) -> None:
    task, recording = tmp_path / "t.task.json", tmp_path / "j.trajectory.json"
    save(task, task_dict(unmodified("a.txt")))
    save(recording, {"steps": [write("a.txt", "Alpha\n")]})

    def shown(client: RawClient) -> dict[str, set[str]]:
        return {item["uri"].rpartition("/")[2]: codes(item) for item in pull_all(client) if item["items"]}

    with RawClient() as client:
        client.initialize(RICH, rootUri=uri_of(tmp_path), initializationOptions=ALL)
        before = shown(client)
        assert not client.evaluate(uri_of(task), uri_of(recording))["result"]["passed"]
        found = shown(client)
        assert "oracle-failed" in found["t.task.json"]
        assert found["j.trajectory.json"] == {"step-broke-oracle"}
        assert shown(client) == found
        save(task, task_dict(unmodified("a.txt"), workspace={"a.txt": "another\n"}))
        assert shown(client) == before

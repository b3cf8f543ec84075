"""Diagnostics while typing, pushed or pulled, in the client's units."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.raw_client import RawClient

URI = "file:///x/tasks/t.json"
TASK = (
    '{ "id": "t", "name": "é😀", "description": "", "prompt": "",\n'
    '  "workspace": { "é😀.txt": "x" },\n'
    '  "oracles": [{ "type": "assertion_exists", "path": "é😀.txt", "pattern": "é😀(" }] }\n'
)
PULL = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def codes(found: list[dict[str, Any]]) -> list[str]:
    return [d["code"] for d in found]


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 85), ("utf-16", 79), ("utf-32", 77), (None, 79)])
def test_ranges_are_in_the_clients_units(encoding: str | None, column: int) -> None:
    with RawClient() as client:
        capabilities = {"general": {"positionEncodings": [encoding]}} if encoding else {}
        answer = client.initialize(capabilities)
        assert answer["result"]["capabilities"]["positionEncoding"] == (encoding or "utf-16")
        client.open(URI, TASK)
        (found,) = client.diagnostics(URI)
        assert (found["code"], found["source"], found["severity"]) == ("invalid-regex", "agentbench", 1)
        line = TASK.splitlines()[2]
        before = line[: line.index("(")]
        units = (
            len(before.encode("utf-8"))
            if encoding == "utf-8"
            else len(before)
            if encoding == "utf-32"
            else len(before.encode("utf-16-le")) // 2
        )
        assert found["range"] == {"start": {"line": 2, "character": units}, "end": {"line": 2, "character": units + 1}}
        # The client edits in its own units: the bracket goes, and with it the diagnostic.
        client.change(URI, 2, {"range": found["range"], "text": ""})
        assert client.diagnostics(URI) == []


def test_versions_are_told_and_never_go_back() -> None:
    with RawClient() as client:
        client.initialize()
        client.open(URI, TASK, version=1)
        for version in range(2, 60):
            client.change(URI, version, {"text": TASK if version % 2 else "{"})
        seen: list[int] = []
        while not seen or seen[-1] < 59:
            message = client.notifications.get(timeout=20)
            seen.append(message["params"]["version"])
        assert seen == sorted(set(seen))


def test_closing_clears() -> None:
    with RawClient() as client:
        client.initialize()
        client.open(URI, TASK)
        assert client.diagnostics(URI)
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        assert client.diagnostics(URI) == []


def test_a_client_that_pulls_is_never_pushed_to() -> None:
    with RawClient() as client:
        answer = client.initialize(PULL)
        assert answer["result"]["capabilities"]["diagnosticProvider"]["interFileDependencies"]
        client.open(URI, TASK)
        params = {"textDocument": {"uri": URI}}
        report = client.request("textDocument/diagnostic", params)["result"]
        assert (report["kind"], codes(report["items"])) == ("full", ["invalid-regex"])
        again = client.request("textDocument/diagnostic", {**params, "previousResultId": report["resultId"]})["result"]
        assert again == {"kind": "unchanged", "resultId": report["resultId"]}
        assert (
            client.request("textDocument/diagnostic", {"textDocument": {"uri": "file:///gone"}})["result"]["items"]
            == []
        )
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        client.shutdown()
        assert client.notifications.empty()


@pytest.mark.parametrize("capabilities", [{}, {"textDocument": {"diagnostic": {}}}])
def test_a_client_that_cannot_be_told_to_pull_again_is_pushed_to(capabilities: dict[str, Any]) -> None:
    with RawClient() as client:
        answer = client.initialize(capabilities)
        assert "diagnosticProvider" not in answer["result"]["capabilities"]
        client.open(URI, TASK)
        assert codes(client.diagnostics(URI)) == ["invalid-regex"]


def test_syntax_errors_can_be_left_to_the_editor() -> None:
    with RawClient() as client:
        client.initialize(initializationOptions={"syntaxErrors": False})
        client.open(URI, TASK.replace("] }\n", "], }\n"))
        assert codes(client.diagnostics(URI)) == ["invalid-regex"]


def test_other_json_is_left_alone() -> None:
    with RawClient() as client:
        client.initialize()
        client.open("file:///x/package.json", '{"name": ,}')
        assert client.diagnostics("file:///x/package.json") == []


def test_custom_oracles_are_known_and_never_run(tmp_path: Any) -> None:
    from tests.helpers.raw_client import uri_of

    (tmp_path / "pyproject.toml").write_text('[tool.agentbench]\noracles = ["o.py"]\n')
    (tmp_path / "o.py").write_text(
        'open("ran", "w")\nclass A:\n    oracle_type = "mine"\n    params = (Param("path", "workspace_path"),)\n'
    )
    uri = uri_of(tmp_path / "t.task.json")
    with RawClient() as client:
        client.initialize()
        text = '{ "workspace": { "a": "" }, "oracles": [{ "type": "mine", "path": "b" }] }'
        client.open(uri, text)
        assert "path-not-in-workspace" in codes(client.diagnostics(uri))
        place = {"line": 0, "character": text.index('"mine"') + 3}
        items = client.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": place})["result"]
        assert "mine" in [item["label"] for item in items]
        # A new oracle is known once the document is saved.
        (tmp_path / "o.py").write_text('class A:\n    oracle_type = "other"\n')
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert "unknown-oracle-type" in codes(client.diagnostics(uri))
    assert not (tmp_path / "ran").exists()

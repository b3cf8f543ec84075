"""Every feature through the wire: what a client gets, in its units and forms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.build import exists, must_pass, save, task_dict, unmodified
from tests.helpers.raw_client import RawClient, uri_of

RICH: dict[str, Any] = {
    "textDocument": {
        "diagnostic": {},
        "publishDiagnostics": {"dataSupport": True, "codeDescriptionSupport": True, "relatedInformation": True},
        "completion": {"completionItem": {"snippetSupport": True, "resolveSupport": {"properties": ["documentation"]}}},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "definition": {"linkSupport": True},
    },
    "workspace": {
        "diagnostics": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True},
        "fileOperations": {"willRename": True, "didRename": True},
        "configuration": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "workspaceFolders": True,
    },
    "window": {"workDoneProgress": True},
}
TASK = task_dict(
    must_pass("python tests/t.py"),
    exists("tests/t.py", "assert é(1)"),
    unmodified("a.txt"),
    workspace={"a.txt": "x", "tests/t.py": "😀 = 1\nassert é(1)\n"},
)


class Editor:
    """A client with a folder of tasks."""

    def __init__(self, client: RawClient, folder: Path) -> None:
        self.client, self.folder = client, folder
        self.uri = uri_of(folder / "t.json")
        self.text = json.dumps(TASK, indent=2, ensure_ascii=False)
        client.open(self.uri, self.text)

    def position(self, text: str, inside: int = 1) -> dict[str, int]:
        at = self.text.index(text) + inside
        line = self.text.count("\n", 0, at)
        before = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return {"line": line, "character": len(before.encode("utf-16-le")) // 2}

    def at(self, text: str, inside: int = 1, **more: Any) -> dict[str, Any]:
        return {"textDocument": {"uri": self.uri}, "position": self.position(text, inside), **more}

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        answer = self.client.request(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def marked(self, where: dict[str, Any], text: str | None = None) -> str:
        lines = (self.text if text is None else text).split("\n")
        start, end = where["start"], where["end"]
        assert start["line"] == end["line"]
        data = lines[start["line"]].encode("utf-16-le")
        return data[start["character"] * 2 : end["character"] * 2].decode("utf-16-le")

    def pulled(self) -> list[dict[str, Any]]:
        found = self.ask("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
        return list(found["items"])


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    folder = tmp_path / "tasks"
    save(folder / "t.json", TASK)
    with RawClient() as client:
        options = {"severity": {}}
        client.initialize(RICH, rootUri=uri_of(tmp_path), initializationOptions=options)
        yield Editor(client, folder)
        assert client.junk == []


def test_diagnostics_carry_fixes_links_and_matches(editor: Editor) -> None:
    found = {d["code"]: d for d in editor.pulled()}
    literal = found["unescaped-literal"]
    assert editor.marked(literal["range"]) == '"assert é(1)"'
    (fix,) = literal["data"]["fixes"]
    assert (fix["safe"], fix["edits"][0]["newText"]) == (True, '"assert é\\\\(1\\\\)"')
    assert Path(literal["codeDescription"]["href"].removeprefix("file://")).name == "unescaped-literal.md"


def test_code_actions(editor: Editor) -> None:
    literal = next(d for d in editor.pulled() if d["code"] == "unescaped-literal")
    params = {"textDocument": {"uri": editor.uri}, "range": literal["range"], "context": {"diagnostics": [literal]}}
    offered = {a["title"]: a for a in editor.ask("textDocument/codeAction", params)}
    fix = offered["Escape the pattern"]
    assert (fix["kind"], fix["isPreferred"]) == ("quickfix", True)
    assert fix["diagnostics"] == [literal]
    (change,) = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": editor.uri, "version": 1}
    only = {**params, "context": {"diagnostics": [], "only": ["source.fixAll"]}}
    assert [a["kind"] for a in editor.ask("textDocument/codeAction", only)] == ["source.fixAll.agentbench"]
    assert not [a for a in offered.values() if a["kind"].startswith("source")]
    only["context"]["only"] = ["refactor"]
    assert {a["kind"].split(".")[0] for a in editor.ask("textDocument/codeAction", only)} == {"refactor"}


def test_hover_waits_for_the_matches(editor: Editor) -> None:
    editor.text = editor.text.replace('assert é(1)"\n    }', 'assert é.1."\n    }')
    editor.client.change(editor.uri, 2, {"text": editor.text})
    shown = editor.ask("textDocument/hover", editor.at('"assert é.1."', 3))
    assert shown["contents"]["kind"] == "markdown"
    assert "**1 match** in `tests/t.py`" in shown["contents"]["value"]
    assert editor.marked(shown["range"]) == '"assert é.1."'


def test_completion_is_documented_when_it_is_shown(editor: Editor) -> None:
    items = editor.ask("textDocument/completion", editor.at('"assert é(1)"', 3))
    item = next(i for i in items if i["label"] == "assert é(1)")
    assert "documentation" not in item
    assert item["textEdit"]["newText"] == '"assert é\\\\\\\\(1\\\\\\\\)"'  # twice for JSON, twice for the snippet
    resolved = editor.ask("completionItem/resolve", item)
    assert "Line 2 of `tests/t.py`" in json.dumps(resolved["documentation"])
    assert editor.ask("completionItem/resolve", {"label": "x", "data": [0, 99]})["label"] == "x"


def test_definition_references_highlights(editor: Editor) -> None:
    at = editor.at('"path": "tests/t.py"', 12)
    (link,) = editor.ask("textDocument/definition", at)
    assert editor.marked(link["targetSelectionRange"]) == '"tests/t.py"'
    assert editor.marked(link["originSelectionRange"]) == "tests/t.py"
    found = editor.ask("textDocument/references", {**at, "context": {"includeDeclaration": True}})
    assert [editor.marked(f["range"]) for f in found] == ["tests/t.py"] * 3
    assert [h["kind"] for h in editor.ask("textDocument/documentHighlight", at)] == [3, 2, 2]


def test_rename(editor: Editor) -> None:
    at = editor.at('"path": "tests/t.py"', 12)
    assert editor.ask("textDocument/prepareRename", at)["placeholder"] == "tests/t.py"
    (change,) = editor.ask("textDocument/rename", {**at, "newName": "t2.py"})["documentChanges"]
    assert [e["newText"] for e in change["edits"]] == ["t2.py"] * 3
    refused = editor.client.request("textDocument/rename", {**at, "newName": "../t.py"})
    assert "outside of the workspace" in refused["error"]["message"]
    assert editor.ask("textDocument/prepareRename", editor.at('"name"')) is None


def test_outline_folding_selection(editor: Editor) -> None:
    document = {"textDocument": {"uri": editor.uri}}
    tree = {s["name"]: s for s in editor.ask("textDocument/documentSymbol", document)}
    types = [child["name"] for child in tree["oracles"]["children"]]
    assert types == ["test_must_pass", "assertion_exists", "file_not_modified"]
    assert editor.ask("textDocument/foldingRange", document)[0] == {"startLine": 0, "endLine": 23}
    (grown,) = editor.ask("textDocument/selectionRange", {**document, "positions": [editor.position("tests/t.py")]})
    assert editor.marked(grown["range"]) == "tests/t.py"
    assert editor.marked(grown["parent"]["range"]) == '"tests/t.py"'


def test_inlay_hints_and_colours(editor: Editor) -> None:
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    document = {"textDocument": {"uri": editor.uri}}
    hints = editor.ask("textDocument/inlayHint", {**document, "range": whole})
    assert [h["label"] for h in hints] == ["timeout: 60 s", "no match"]
    data = editor.ask("textDocument/semanticTokens/full", document)["data"]
    assert data
    assert len(data) % 5 == 0
    assert editor.ask("textDocument/semanticTokens/range", {**document, "range": whole})["data"] == data


def test_formatting(editor: Editor) -> None:
    editor.client.change(editor.uri, 2, {"text": '{"id":1}'})
    document = {"textDocument": {"uri": editor.uri}, "options": {"tabSize": 4, "insertSpaces": True}}
    edits = editor.ask("textDocument/formatting", document)
    assert [e["newText"] for e in edits] == ["\n    ", " ", "\n", "\n"]
    line = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 6}}
    edits = editor.ask("textDocument/rangeFormatting", {**document, "range": line})
    assert [e["newText"] for e in edits] == ["\n    ", " "]


def test_code_lenses(editor: Editor) -> None:
    save(editor.folder / "trajectories" / "t.good.json", {"metadata": {}, "steps": []})
    document = {"textDocument": {"uri": editor.uri}}
    events = [{"uri": uri_of(editor.folder / "trajectories" / "t.good.json"), "type": 1}]
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": events})
    lenses: list[dict[str, Any]] = []
    while len(lenses) < 2:  # the folder is being looked at
        lenses = editor.ask("textDocument/codeLens", document)
    command, baseline = [lens["command"] for lens in lenses]
    assert (baseline["title"], baseline["command"]) == ("Baseline", "agentbench.baseline")
    assert command["title"] == "Evaluate against t.good.json"
    report = editor.ask("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
    assert report["passed"] is False
    titles = [lens["command"]["title"] for lens in editor.ask("textDocument/codeLens", document)]
    assert titles == ["✗ 2 of 3 failed (t.good.json)", "Evaluate against t.good.json", "Baseline"]


def test_manifests_and_trajectories_lead_to_tasks(editor: Editor) -> None:
    manifest = uri_of(editor.folder / "x.manifest.json")
    editor.client.open(manifest, '{ "task_files": ["t.json"] }')
    links = editor.ask("textDocument/documentLink", {"textDocument": {"uri": manifest}})
    assert [link["target"] for link in links] == [editor.uri]
    at = {"textDocument": {"uri": manifest}, "position": {"line": 0, "character": 20}}
    assert editor.ask("textDocument/definition", at)[0]["targetUri"] == editor.uri
    assert "**t**" in editor.ask("textDocument/hover", at)["contents"]["value"]


def test_a_renamed_task_file_is_renamed_in_its_manifests(editor: Editor) -> None:
    save(editor.folder / "x.manifest.json", {"task_files": ["t.json"]})
    files = [{"oldUri": editor.uri, "newUri": uri_of(editor.folder / "sub" / "new.json")}]
    (change,) = editor.ask("workspace/willRenameFiles", {"files": files})["documentChanges"]
    assert change["textDocument"]["uri"].endswith("x.manifest.json")
    assert [e["newText"] for e in change["edits"]] == ['"sub/new.json"']
    editor.client.notify("workspace/didRenameFiles", {"files": files})
    assert editor.ask("workspace/willRenameFiles", {"files": [{"oldUri": "file:///q", "newUri": "file:///r"}]}) is None


def test_workspace_symbols(editor: Editor) -> None:
    save(editor.folder / "second.json", task_dict(name="Another one", id="fix-it"))
    found = editor.ask("workspace/symbol", {"query": "fxanother"})
    assert [(s["name"], s["location"]["uri"]) for s in found] == [
        ("fix-it: Another one", uri_of(editor.folder / "second.json"))
    ]
    assert len(editor.ask("workspace/symbol", {"query": ""})) == 2


def test_two_tasks_with_one_id_are_told_of_each_other(editor: Editor) -> None:
    other = editor.folder / "other.json"
    save(other, TASK)
    assert "duplicate-task-id" in {d["code"] for d in editor.pulled()}
    editor.client.open(uri_of(other), json.dumps({**TASK, "id": "changed"}))
    codes = {"duplicate-task-id"}
    while "duplicate-task-id" in codes:  # the unsaved text counts, not the file
        codes = {d["code"] for d in editor.pulled()}


def test_the_fix_of_a_syntax_error_is_offered_where_the_editor_shows_the_error(tmp_path: Path) -> None:
    uri = uri_of(tmp_path / "t.json")
    with RawClient() as client:
        client.initialize(RICH, initializationOptions={"syntaxErrors": False})
        client.open(uri, '{ "oracles": [], "x": "\\d" }')
        document = {"textDocument": {"uri": uri}}
        found = client.request("textDocument/diagnostic", document)["result"]["items"]
        assert "json-syntax" not in {d["code"] for d in found}
        at = {"line": 0, "character": 24}
        params = {**document, "range": {"start": at, "end": at}, "context": {"diagnostics": []}}
        offered = client.request("textDocument/codeAction", params)["result"]
        assert "Write \\\\d" in [a["title"] for a in offered]


def test_a_failed_oracle_has_the_severity_that_was_set(editor: Editor) -> None:
    save(editor.folder / "r.json", {"steps": []})
    argument = {"task": editor.uri, "trajectory": uri_of(editor.folder / "r.json")}
    command = {"command": "agentbench.evaluate", "arguments": [argument]}
    assert not editor.ask("workspace/executeCommand", command)["passed"]
    assert {d["severity"] for d in editor.pulled() if d["code"] == "oracle-failed"} == {1}
    for word, expected in (("hint", {4}), ("off", set())):
        editor.client.replies["workspace/configuration"] = [{"severity": {"oracle-failed": word}}]
        editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
        found: set[int] = {1}
        while found != expected:
            found = {d["severity"] for d in editor.pulled() if d["code"] == "oracle-failed"}

"""Definition, references, highlights, links, rename: on documents with `|` where the cursor is."""

from __future__ import annotations

import json

import pytest

from agentbench_lsp.language.diagnostics import view_of
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import apply_edits
from agentbench_lsp.language.navigation import definition, highlights, links, references
from agentbench_lsp.language.rename import prepare_rename, rename
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.language.workspace_edits import WorkspaceError
from agentbench_lsp.oracles.base import registered_specs
from tests.helpers.known import Known

TASK = """{
  "id": "t",
  "workspace": { "src/a.py": "x", "tests/test_a.py": "y" },
  "oracles": [
    { "type": "file_not_modified", "path": "./tests/test_a.py" },
    { "type": "test_must_pass", "command": "python -m pytest 'tests/test_a.py'::test_x -q" },
    { "type": "assertion_exists", "path": "src/a.py", "pattern": "x" }
  ]
}
"""


def at(marked: str, path: str = "tasks/t.json", **files: str) -> tuple[DocumentView, int]:
    offset = marked.index("|")
    document = Document(marked.replace("|", "", 1), path)
    view = view_of(document, registered_specs(), Known(files, path.rpartition("/")[2]))
    assert view is not None
    return view, offset


def in_task(before: str, after: str = "") -> tuple[DocumentView, int]:
    """The cursor in the task, in the middle of a text."""
    assert TASK.count(before + after) >= 1
    return at(TASK.replace(before + after, f"{before}|{after}", 1))


def texts(view: DocumentView, ranges: list[tuple[int, int]]) -> list[str]:
    return [view.document.text[start:end] for start, end in ranges]


@pytest.mark.parametrize(
    "place", [("./tests/te", "st_a.py"), ("'tests/te", "st_a.py'::"), ('"tests/te', 'st_a.py": "y"')]
)
def test_every_spelling_leads_to_the_workspace_file(place: tuple[str, str]) -> None:
    view, offset = in_task(*place)
    found = definition(view, offset)
    assert found is not None
    origin, target = found
    assert texts(view, [origin])[0].strip("'") in ("./tests/test_a.py", "tests/test_a.py")
    assert target.path is None
    assert texts(view, [(target.start, target.end)]) == ['"tests/test_a.py"']
    uses = references(view, offset)
    assert texts(view, [(use.start, use.end) for use in uses]) == [
        "tests/test_a.py",
        "./tests/test_a.py",
        "tests/test_a.py",
    ]
    assert [use.kind for use in references(view, offset, with_definition=False)] == ["param", "command"]
    assert [defines for *_, defines in highlights(view, offset)] == [True, False, False]


def test_nothing_where_nothing_is_named() -> None:
    view, offset = in_task('"id": "', "t")
    assert definition(view, offset) is None
    assert references(view, offset) == []
    assert prepare_rename(view, offset) is None


def test_renaming_a_file_changes_all_that_name_it() -> None:
    view, offset = in_task("./tests/te", "st_a.py")
    start, end, name = prepare_rename(view, offset) or (0, 0, "")
    assert (view.document.text[start:end], name) == ("./tests/test_a.py", "./tests/test_a.py")
    after = apply_edits(view.document.text, rename(view, offset, "checks/t é.py"))
    task = json.loads(after)
    assert list(task["workspace"]) == ["src/a.py", "checks/t é.py"]
    assert task["oracles"][0]["path"] == "checks/t é.py"
    assert task["oracles"][1]["command"] == "python -m pytest 'checks/t é.py'::test_x -q"
    assert task["oracles"][2]["path"] == "src/a.py"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("src/a.py", "already"),
        ("../x.py", "outside"),
        ("/x.py", "outside"),
        ("src/a.py/x", "both file and folder"),
        ("src", "both file and folder"),
        ("", "workspace folder itself"),
    ],
)
def test_names_that_no_file_can_have(name: str, reason: str) -> None:
    view, offset = in_task("./tests/te", "st_a.py")
    with pytest.raises(WorkspaceError, match=reason):
        rename(view, offset, name)


def test_a_manifest_leads_to_its_tasks() -> None:
    view, offset = at('{ "task_files": ["a.|json", "gone.json"] }', "tasks/manifest.json", **{"a.json": TASK})
    found = definition(view, offset)
    assert found is not None
    assert found[1].path == "a.json"
    assert [(link.path, view.document.text[link.start : link.end]) for link in links(view)] == [("a.json", "a.json")]
    view, offset = at('{ "task_subset": "b.|json" }', "m.manifest.json", **{"b.json": "{}"})
    assert [link.path for link in links(view)] == ["b.json"]


STEPS = """{
  "metadata": { "task": "t" },
  "steps": [
    { "tool": "write_file", "args": { "path": "src/|a.py", "content": "z" } },
    { "tool": "read_file", "args": { "path": "./src/a.py" } }
  ]
}
"""


def test_a_trajectory_leads_to_the_files_of_its_task() -> None:
    view, offset = at(STEPS, "x.trajectory.json", **{"t.json": TASK})
    found = definition(view, offset)
    assert found is not None
    assert found[1].path == "t.json"
    assert TASK[found[1].start : found[1].end] == '"src/a.py"'
    assert len(highlights(view, offset)) == 2
    assert [link.path for link in links(view)] == ["t.json"]

"""A workspace file is written into its task, and nothing else of the task changes."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.language.document import Document
from agentbench_lsp.language.edits import apply_edits
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.workspace_edits import WorkspaceError, content_at, remove_file, rename_file, write_file

TASK = """{
  "id": "t", "prompt": "p",
  "workspace": {
    "a.py": "x = \\u0022\\u00e9\\u0022\\nprint(x)\\n",
    "b.txt" : "\\/kept"
  },
  "oracles": [
    { "type": "file_not_modified", "path": "a.py" },
    { "type": "test_must_pass", "command": "python a.py" }
  ]
}
"""


def view(text: str) -> TaskDocument:
    return TaskDocument(Document(text, "t.task.json"), {})


def written(text: str, path: str, content: str) -> str:
    return apply_edits(text, write_file(view(text), path, content))


def test_only_what_differs_is_written_so_the_rest_keeps_its_escapes() -> None:
    assert written(TASK, "a.py", 'x = "é"\nprint("x")\n') == TASK.replace("print(x)", 'print(\\"x\\")')


def test_a_string_that_escapes_what_is_not_ascii_goes_on_to() -> None:
    assert written(TASK, "a.py", 'x = "éü"\nprint(x)\n') == TASK.replace("\\u00e9", "\\u00e9\\u00fc")


def test_the_same_content_changes_nothing() -> None:
    assert write_file(view(TASK), "a.py", content_at(view(TASK), "a.py")) == []


def test_a_new_file_comes_last_in_the_workspace() -> None:
    assert '"b.txt" : "\\/kept",\n    "src/c.py": "pass\\n"\n  }' in written(TASK, "src/c.py", "pass\n")


def test_a_task_without_a_workspace_gets_one() -> None:
    text = written('{\n  "id": "t",\n  "prompt": "p",\n  "oracles": []\n}\n', "a.py", "1")
    assert json.loads(text)["workspace"] == {"a.py": "1"}


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../x", "outside of the workspace"),
        ("/etc/x", "outside of the workspace"),
        ("a.py/x", "both file and folder"),
        ("", "workspace folder itself"),
    ],
)
def test_a_path_that_no_workspace_file_can_have(path: str, reason: str) -> None:
    with pytest.raises(WorkspaceError, match=reason):
        write_file(view(TASK), path, "x")


def test_a_string_without_an_end_is_not_written_to() -> None:
    with pytest.raises(WorkspaceError, match="mend the JSON"):
        write_file(view('{"prompt": "p", "oracles": [], "workspace": {"a.py": "x'), "a.py", "y")


def test_what_is_no_text_is_not_written_to() -> None:
    with pytest.raises(WorkspaceError, match="no string"):
        write_file(view('{"prompt": "p", "oracles": [], "workspace": {"a.py": 3}}'), "a.py", "y")


def test_removing_takes_the_comma_too() -> None:
    text = apply_edits(TASK, remove_file(view(TASK), "b.txt"))
    assert list(json.loads(text)["workspace"]) == ["a.py"]


def test_renaming_by_path_needs_the_file() -> None:
    with pytest.raises(WorkspaceError, match=re.escape("no file 'c.py'")):
        rename_file(view(TASK), "c.py", "d.py")


def test_an_editor_that_makes_mixed_line_ends_one_kind_changes_only_its_own_lines() -> None:
    """VS Code shows `one CRLF two LF three` with one kind of line end, and saves it so."""
    text = json.dumps({"prompt": "p", "oracles": [], "workspace": {"m": "one\r\ntwo\nthree\nfour\n"}})
    assert content_at(view(written(text, "m", "one\ntwo\nTHREE\nfour\n")), "m") == "one\r\ntwo\nTHREE\nfour\n"


def test_a_change_of_all_line_ends_is_one() -> None:
    text = json.dumps({"prompt": "p", "oracles": [], "workspace": {"m": "one\ntwo\n"}})
    assert content_at(view(written(text, "m", "one\r\ntwo\r\n")), "m") == "one\r\ntwo\r\n"


CONTENT = st.text(st.sampled_from('ab\n\r"\\/é\U0001f600\u2028\x00\x7f\ufeff\ud83d'), max_size=12)


@given(old=CONTENT, new=CONTENT, ascii_only=st.booleans())
def test_any_content_is_written_and_the_rest_stays_byte_for_byte(old: str, new: str, ascii_only: bool) -> None:
    workspace = {"a": "before", "m": old, "z": "after"}
    text = json.dumps({"prompt": "p", "workspace": workspace, "oracles": []}, ensure_ascii=ascii_only, indent=1)
    task = view(text)
    edits = write_file(task, "m", new)
    start, end = next(file.value.inner for file in task.files if file.key.value == "m")  # type: ignore[union-attr]
    assert all(start <= edit.start <= edit.end <= end for edit in edits)
    found = content_at(view(apply_edits(text, edits)), "m")
    mixed = len(set(re.findall(r"\r\n|\n|\r", old))) > 1
    assert found == new or (mixed and re.split(r"\r\n|\n|\r", found) == re.split(r"\r\n|\n|\r", new))
    json.loads(apply_edits(text, edits))


def test_nothing_is_added_to_a_workspace_without_an_end() -> None:
    with pytest.raises(WorkspaceError, match="mend the JSON"):
        write_file(view('{"prompt": "p", "oracles": [], "workspace": {"a.py": "x'), "b.py", "y")


def test_half_a_surrogate_pair_is_escaped_in_a_new_file_too() -> None:
    assert '"c": "\\ud800"' in written(TASK, "c", "\ud800")

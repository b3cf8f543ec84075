"""Every kind of edit, as the tools of agents name it."""

import difflib
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.runner.edits import NotAppliedError
from agentbench_lsp.runner.edits.reading import read_edits
from agentbench_lsp.runner.edits.unified_diff import parse_diff
from agentbench_lsp.runner.replay import Replay, replay
from agentbench_lsp.runner.tools import TOOLS
from agentbench_lsp.runner.trajectory import Trajectory


def done(files: dict[str, str], *steps: dict[str, object]) -> Replay:
    return replay(files, Trajectory.from_dict({"steps": list(steps)}))


def step(tool: str, **args: object) -> dict[str, object]:
    return {"tool": tool, "args": args}


AB = "a = 1\nb = 1\n"
BLOCK = "------- SEARCH\nb = 1\n=======\nb = 2\n+++++++ REPLACE\n"
B2 = "a = 1\nb = 2\n"


@pytest.mark.parametrize(
    ("call", "after"),
    [
        (step("Edit", file_path="f", old_string="b = 1", new_string="b = 2"), B2),
        (step("Edit", file_path="f", old_string=" 1", new_string=" 2", replace_all=True), "a = 2\nb = 2\n"),
        (
            step(
                "MultiEdit",
                file_path="f",
                edits=[{"old_string": "a", "new_string": "c"}, {"old_string": "c = 1", "new_string": "c = 2"}],
            ),
            "c = 2\nb = 1\n",
        ),
        (step("str_replace_editor", command="str_replace", path="f", old_str="b = 1", new_str="b = 2"), B2),
        (step("str_replace_editor", command="str_replace", path="f", old_str="b = 1\n"), "a = 1\n"),
        (step("str_replace_editor", command="create", path="f", file_text="new"), "new"),
        (step("str_replace_editor", command="insert", path="f", insert_line=1, new_str="x"), "a = 1\nx\nb = 1\n"),
        (step("text_editor", command="insert", path="f", insert_line=0, insert_text="x\n"), "x\na = 1\nb = 1\n"),
        (step("replace", file_path="f", old_string="b = 1", new_string="b = 2"), B2),
        (step("replace", file_path="f", old_string=" 1", new_string="", expected_replacements=2), "a =\nb =\n"),
        (step("edit", filePath="f", oldString=" 1", newString=" 2", replaceAll=True), "a = 2\nb = 2\n"),
        (step("write", filePath="f", content="w"), "w"),
        (step("create_file", filePath="f", content="w"), "w"),
        (step("replace_string_in_file", filePath="f", oldString="b = 1", newString="b = 2"), B2),
        (step("replace_in_file", path="f", diff=BLOCK), B2),
        (
            step(
                "apply_diff",
                path="f",
                diff="<<<<<<< SEARCH\n:start_line:2\n-------\nb = 1\n=======\nb = 2\n>>>>>>> REPLACE",
            ),
            B2,
        ),
        (step("editor", path="f", old_text="b = 1", new_text="b = 2"), B2),
        (step("editor", path="f", new_text="w"), "w"),
        (step("insert_content", path="f", line=2, content="x"), "a = 1\nx\nb = 1\n"),
        (step("insert_content", path="f", line=0, content="x"), "a = 1\nb = 1\nx\n"),
        (step("edit", path="f", content="x", start=2, end=2), "a = 1\nx\n"),
        (step("edit", path="f", content="x", start=2, end=-1), "a = 1\nx\n"),
        (step("apply_patch", patchText="*** Begin Patch\n*** Update File: f\n@@\n-b = 1\n+b = 2\n*** End Patch"), B2),
        (step("edit_file", path="f", diff="@@ -2 +2 @@\n-b = 1\n+b = 2\n"), B2),
    ],
)
def test_the_call_of_a_tool_changes_the_file(call: dict[str, object], after: str) -> None:
    assert done({"f": AB}, call).files == {"f": after.encode()}


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (step("Edit", file_path="f", old_string="c", new_string="d"), "not in the file"),
        (step("Edit", file_path="f", old_string="1", new_string="d"), "2 times"),
        (step("replace", file_path="f", old_string="b", new_string="d", expected_replacements=3), "3 were expected"),
        (
            step(
                "MultiEdit",
                file_path="f",
                edits=[{"old_string": "a", "new_string": "z"}, {"old_string": "q", "new_string": ""}],
            ),
            "edit 2 of 2",
        ),
        (step("text_editor", command="insert", path="f", insert_line=9, insert_text="x"), "has 2 lines"),
        (step("str_replace_editor", command="undo_edit", path="f"), "undo_edit is not replayed"),
        (step("insert_edit_into_file", filePath="f", code="// ...existing code..."), "leaves out what stays"),
        (step("delete_file", path="g"), "does not exist"),
        (step("NotebookEdit", notebook_path="f", cell_id="x", new_source=""), "no Jupyter notebook"),
        (step("replace_in_file", path="f", diff="------- SEARCH\nq\n=======\n"), "has no end"),
        (step("edit_file", path="f", diff="@@ -1 +1 @@\n-q\n+r\n"), "not in the file"),
    ],
)
def test_an_edit_that_does_not_fit_leaves_the_file(call: dict[str, object], says: str) -> None:
    after = done({"f": AB}, call)
    (report,) = after.reports
    assert after.files == {"f": AB.encode()}
    assert report.status in ("not-applied", "unsupported")
    assert says in report.reason


@pytest.mark.parametrize("command", ["view", "open"])
def test_looking_is_no_edit(command: str) -> None:
    assert not done({"f": AB}, step("str_replace_editor", command=command, path="f")).reports


def test_files_are_deleted_and_moved() -> None:
    after = done({"f": AB, "g": ""}, step("delete_file", path="g"), step("move_file", source="f", destination="d/f"))
    assert after.files == {"d/f": AB.encode()}
    assert [(r.step, r.path) for r in after.reports] == [(0, "g"), (1, "f"), (1, "d/f")]


def test_each_replacement_of_several_may_name_its_own_file() -> None:
    replacements = [{"filePath": name, "oldString": "1", "newString": "2"} for name in ("f", "g")]
    after = done({"f": "1", "g": "1"}, step("multi_replace_string_in_file", replacements=replacements))
    assert after.files == {"f": b"2", "g": b"2"}


CALLS_ON_CRLF = [
    step("Edit", file_path="f", old_string="a\nb", new_string="x\ny"),
    step("replace_in_file", path="f", diff="------- SEARCH\na\nb\n=======\nx\ny\n+++++++ REPLACE"),
    step("apply_patch", input="*** Begin Patch\n*** Update File: f\n@@\n-a\n-b\n+x\n+y\n*** End Patch"),
    step("edit_file", path="f", diff="@@ -1,3 +1,3 @@\n-a\n-b\n+x\n+y\n c\n"),
    step("edit", path="f", content="x\ny", start=1, end=2),
    {"tool": "Edit", "args": {}, "edits": [{"path": "f", "content": "x\ny\nc\n", "line_ends": "as-found"}]},
]


@pytest.mark.parametrize("call", CALLS_ON_CRLF)
def test_a_file_with_crlf_keeps_it(call: dict[str, object]) -> None:
    assert done({"f": "a\r\nb\r\nc\r\n"}, call).files == {"f": b"x\r\ny\r\nc\r\n"}


NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "execution_count": 3, "id": "one", "metadata": {}, "outputs": [1], "source": "a"},
        {"cell_type": "markdown", "metadata": {}, "source": "b"},
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.mark.parametrize(
    ("args", "sources"),
    [
        ({"cell_id": "one", "new_source": "z"}, ["z", "b"]),
        ({"cell_id": "cell-1", "new_source": "z"}, ["a", "z"]),
        ({"cell_id": "one", "edit_mode": "delete", "new_source": ""}, ["b"]),
        ({"cell_id": "one", "edit_mode": "insert", "cell_type": "code", "new_source": "z"}, ["a", "z", "b"]),
        ({"edit_mode": "insert", "cell_type": "markdown", "new_source": "z"}, ["z", "a", "b"]),
        ({"editType": "insert", "cellId": "BOTTOM", "newCode": ["z\n", "y"], "language": "python"}, ["a", "b", "z\ny"]),
    ],
)
def test_cells_of_a_notebook(args: dict[str, object], sources: list[str]) -> None:
    after = done({"n.ipynb": json.dumps(NOTEBOOK)}, step("NotebookEdit", notebook_path="n.ipynb", **args))
    notebook = json.loads(after.files["n.ipynb"])
    assert [cell["source"] for cell in notebook["cells"]] == sources
    if sources[0] == "z" and "edit_mode" not in args:
        assert notebook["cells"][0]["outputs"] == []


def test_what_the_recording_says_the_step_did_counts_not_the_call() -> None:
    recorded = {**step("Edit", file_path="f", old_string="a", new_string="b"), "edits": [{"path": "f", "content": "c"}]}
    assert done({"f": "a"}, recorded).files == {"f": b"c"}


def test_relative_paths_are_below_the_cwd_of_the_step() -> None:
    trajectory = {
        "metadata": {"cwd": "/repo"},
        "steps": [
            {**step("Write", file_path="a", content="1"), "cwd": "/repo/sub"},
            {**step("Write", file_path="/repo/b", content="2"), "cwd": "/repo/sub"},
            {**step("Write", file_path="../c", content="3"), "cwd": "sub"},
            {**step("Write", file_path="~/.ssh/config", content="4"), "cwd": "sub"},
            {**step("Write", file_path="d", content="5"), "cwd": "/elsewhere"},
        ],
    }
    after = replay({}, Trajectory.from_dict(trajectory))
    assert after.files == {"sub/a": b"1", "b": b"2", "c": b"3"}
    assert [r.status for r in after.reports[3:]] == ["outside-workspace"] * 2


DIFF = """diff --git a/x.py b/x.py
index 1..2 100644
--- a/x.py
+++ b/x.py
@@ -1,2 +1,2 @@
 a
-b
+c
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+n
\\ No newline at end of file
diff --git a/old.py b/old.py
deleted file mode 100644
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-o
diff --git a/from.py b/to.py
similarity index 100%
rename from from.py
rename to to.py
diff --git "a/caf\\303\\251.py" "b/caf\\303\\251.py"
--- "a/caf\\303\\251.py"
+++ "b/caf\\303\\251.py"
@@ -1 +1 @@
-1
+2
"""


def test_a_git_diff() -> None:
    files = {"x.py": "a\nb\n", "old.py": "o\n", "from.py": "f\n", "café.py": "1\n"}
    after = done(files, {"tool": "submit", "edits": [{"diff": DIFF, "against": "start"}]})
    assert after.files == {"x.py": b"a\nc\n", "new.py": b"n", "to.py": b"f\n", "café.py": b"2\n"}


def test_a_diff_against_the_start_counts_over_the_steps() -> None:
    last = {"tool": "submit", "edits": [{"diff": "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+c\n", "against": "start"}]}
    after = done({"f": "a\n"}, step("Write", file_path="f", content="other\n"), last)
    assert after.files == {"f": b"c\n"}
    assert "another than its steps lead to" in after.reports[-1].reason


@pytest.mark.parametrize("text", ["", "@@ -1,9 +1,9 @@\n a", "@@ wrong @@", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n?"])
def test_a_broken_diff_is_said(text: str) -> None:
    with pytest.raises(NotAppliedError):
        parse_diff(text, "f")


LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "d\u2028e", "é"]), max_size=12)


@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans(), st.integers(0, 3))
def test_a_diff_of_two_texts_makes_one_of_the_other(
    old: list[str], new: list[str], end: str, open_old: bool, open_new: bool, context: int
) -> None:
    before, after = (
        "".join(f"{line}{end}" for line in lines).removesuffix(end if opened and lines and lines[-1] else "\0")
        for lines, opened in ((old, open_old), (new, open_new))
    )
    text = _diff(before, after, context)
    if text:
        (edit,) = parse_diff(text, "f")
        assert edit.change(before.encode()).content == after.encode()


def _diff(before: str, after: str, context: int) -> str:
    """As `diff -u` writes it."""
    texts = (
        [line + "\n" for line in text.split("\n")[:-1]] + ([text.split("\n")[-1]] if text.split("\n")[-1] else [])
        for text in (before, after)
    )
    lines = difflib.unified_diff(*texts, n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


ARGS = st.dictionaries(
    st.sampled_from(
        [
            "path",
            "file_path",
            "filePath",
            "content",
            "file_text",
            "old_string",
            "new_string",
            "edits",
            "replacements",
            "patch",
            "diff",
            "input",
            "command",
            "insert_line",
            "start",
            "end",
            "line",
            "ranges",
            "edit_mode",
            "new_source",
            "move_to",
            "delete",
            "expected_replacements",
        ]
    ),
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 5),
        st.text(max_size=8),
        st.sampled_from(["view", "undo_edit", BLOCK, DIFF, "*** Begin Patch\n*** End Patch", "\ud800"]),
        st.lists(
            st.dictionaries(
                st.sampled_from(["path", "old_string", "new_string", "range", "text"]), st.text(max_size=3)
            ),
            max_size=2,
        ),
    ),
)


@given(st.sampled_from([tool.name for tool in TOOLS]), ARGS)
def test_no_arguments_are_too_strange(tool: str, args: dict[str, object]) -> None:
    after = done({"f": AB}, step(tool, **args))
    for report in after.reports:
        assert report.status == "applied" or report.reason
    with suppress(NotAppliedError):
        read_edits(args)

"""Completion, on documents with `|` where the cursor is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.language.completion import Completion, complete
from agentbench_lsp.language.document import Document
from agentbench_lsp.language.snippet import plain
from agentbench_lsp.oracles.base import OracleSpec, Param, registered_specs
from tests.conftest import TASKS
from tests.helpers.known import Known

WS = '"workspace": { "src/a.py": "", "tests/t.py": "" }'
CUSTOM = OracleSpec(
    "max_lines",
    (Param("path", "workspace_path"), Param("limit", "integer", default=100), Param("strict", "boolean", False, True)),
    "A limit.",
)
SPECS = {**registered_specs(), "max_lines": CUSTOM}


def at(marked: str, path: str = "tasks/x.json") -> tuple[str, list[Completion]]:
    offset = marked.index("|")
    text = marked.replace("|", "", 1)
    return text, complete(Document(text, path), offset, SPECS)


def labels(marked: str, path: str = "tasks/x.json") -> list[str]:
    return [item.label for item in at(marked, path)[1]]


def accepted(marked: str, label: str) -> str:
    """The text after a proposal has been accepted."""
    text, items = at(marked)
    item = next(i for i in items if i.label == label)
    text = text[: item.start] + plain(item.snippet) + text[item.end :]
    if item.insert:
        text = text[: item.insert[0]] + item.insert[1] + text[item.insert[0] :]
    return text


TYPES = ["assertion_exists", "file_not_modified", "no_network", "test_must_pass", "max_lines"]
FIELDS = ["id", "name", "description", "prompt", "workspace", "oracles", "tags", "ignore_rules"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("{|}", FIELDS),
        ("{ i|", FIELDS),
        ('{ "|" }', FIELDS),
        ('{ "id": "x", | "name": "n" }', [f for f in FIELDS if f not in ("id", "name")]),
        ('{ "id": "x"\n  | }', FIELDS[1:]),
        ("|", ["task"]),
        ('{ "oracles": [|] }', TYPES),
        ('{ "oracles": [{ "type": "no_network" }, |', TYPES),
        ('{ "oracles": [{ "type": | }] }', TYPES),
        ('{ "oracles": [{ "type": "fi|', TYPES),
        ('{ "oracles": [{ | }] }', ["type"]),
        ('{ "oracles": [{ "type": "assertion_exists", | }] }', ["path", "pattern"]),
        ('{ "oracles": [{ "type": "assertion_exists", "path": "x", "| }] }', ["pattern"]),
        ('{ "oracles": [{ "path": "x", |, "type": "assertion_exists" }] }', ["pattern"]),
        ('{ "oracles": [{ "type": "no_network", | }] }', []),
        (f'{{ {WS}, "oracles": [{{ "type": "file_not_modified", "path": | }}] }}', ["tests/t.py", "src/a.py"]),
        (f'{{ {WS}, "oracles": [{{ "type": "file_not_modified", "path": "s|', ["tests/t.py", "src/a.py"]),
        (f'{{ "oracles": [{{ "type": "max_lines", "path": "|" }}], {WS} }}', ["tests/t.py", "src/a.py"]),
        ('{ "oracles": [{ "type": "test_must_pass", "command": "x", "timeout": | }] }', ["60"]),
        ('{ "oracles": [{ "type": "max_lines", "strict": | }] }', ["true", "false"]),
        ('{ "oracles": [{ "type": "max_lines", | }] }', ["path", "limit", "strict"]),
        ('{ "id": "|" }', ["x"]),  # the file's name
        ('{ "oracels": [|] }', TYPES),
        # Nothing where nothing can be known, and where a quote has just been closed.
        ('{ "name": "|" }', []),
        ('{ "id": "x"|', []),
        ('{ "workspace": { "|" } }', []),
        ('{ "oracles": [{ "type": "test_must_pass", "command": "|" }] }', []),
        ('{ "id": "x" } |', []),
        ('{ // |\n "id": "x" }', []),
    ],
)
def test_what_is_proposed(marked: str, expected: list[str]) -> None:
    assert labels(marked) == expected


def test_other_kinds_have_their_own_fields() -> None:
    assert labels("{ | }", "x.trajectory.json") == ["metadata", "steps", "ignore_rules"]
    assert labels("{ | }", "x.manifest.json") == [
        "description",
        "task_files",
        "task_subset",
        "trajectory",
        "recorded_for",
        "ignore_rules",
    ]
    assert labels("{ | }", "package.json") == []


@pytest.mark.parametrize(
    ("marked", "label", "text"),
    [
        ('{ "na|" }', "name", '{ "name": "" }'),
        ("{ na| }", "name", '{ "name": "" }'),
        ('{ "id": "x"\n  |\n}', "name", '{ "id": "x",\n  "name": ""\n}'),
        ('{ | "id": "x" }', "name", '{ "name": "", "id": "x" }'),
        (
            '{ "oracles": [{ "type": "fi|" }] }',
            "file_not_modified",
            '{ "oracles": [{ "type": "file_not_modified",\n"path": "" }] }',
        ),
        # Params that are there already are not written again.
        (
            '{ "oracles": [{ "type": "|", "path": "x" }] }',
            "file_not_modified",
            '{ "oracles": [{ "type": "file_not_modified", "path": "x" }] }',
        ),
        ('{ "oracles": [|] }', "no_network", '{ "oracles": [{ "type": "no_network" }] }'),
        (
            f'{{ {WS}, "oracles": [{{ "type": "file_not_modified", "path": "sr|c" }}] }}',
            "src/a.py",
            f'{{ {WS}, "oracles": [{{ "type": "file_not_modified", "path": "src/a.py" }}] }}',
        ),
    ],
)
def test_what_stands_there_after_accepting(marked: str, label: str, text: str) -> None:
    assert accepted(marked, label) == text


def test_a_half_written_string_does_not_swallow_the_rest_of_its_line() -> None:
    marked = '{ "oracles": [{ "type": "no|, "path": "x" }] }'
    assert accepted(marked, "no_network").startswith('{ "oracles": [{ "type": "no_network", "path"')


def test_the_whole_task_is_valid_json() -> None:
    text = accepted("|", "task").replace('"oracles": [\n    \n  ]', '"oracles": []')
    assert list(json.loads(text)) == FIELDS[:6]


def test_filter_text_begins_as_the_replaced_text_does() -> None:
    _, items = at('{ "oracles": [{ "type": "fi|" }] }')
    assert {item.filter_text for item in items} >= {'"file_not_modified"'}


def test_documentation_comes_from_the_catalogue() -> None:
    _, items = at('{ "oracles": [{ "type": "|" }] }')
    docs = {item.label: item.documentation for item in items}
    assert "byte for byte" in docs["file_not_modified"]
    assert "`limit` (integer, required)" in docs["max_lines"]


RICH = json.dumps(
    {
        "workspace": {
            "calc.py": "import os\n\ndef add(a, b):\n    return a + b\n",
            "tests/test_calc.py": "from calc import add\n\ndef test_add():\n    assert add(1, 2) == [3]\n",
            "package.json": '{ "scripts": { "test": "node t.js" } }',
            "web/app.test.js": "require('node:test')",
            "Cargo.toml": "",
            "go.mod": "",
            "Makefile": "check: all\n\t./run\n",
            "run tests.sh": "",
        }
    }
)[:-1]


def oracle(body: str) -> str:
    return f'{RICH}, "oracles": [{{ {body} }}] }}'


def test_patterns_come_from_the_lines_of_the_file_escaped_twice() -> None:
    marked = oracle('"type": "assertion_exists", "path": "tests/test_calc.py", "pattern": "|"')
    assert labels(marked)[:2] == ["assert add(1, 2) == [3]", "def test_add():"]
    text = accepted(marked, "assert add(1, 2) == [3]")
    pattern = json.loads(text)["oracles"][0]["pattern"]
    assert pattern == "assert add\\(1, 2\\) == \\[3\\]"
    assert '"assert add\\\\(1, 2' in text
    assert accepted(
        oracle('"path": "calc.py", "pattern": "de|f x", "type": "assertion_exists"'), "def add(a, b):"
    ).count("def add")


def test_what_is_typed_finds_the_line_or_the_pattern() -> None:
    marked = oracle('"type": "assertion_exists", "path": "tests/test_calc.py", "pattern": "assert add(|"')
    _, items = at(marked)
    assert items[0].filter_text == '"assert add(1, 2) == [3]"'
    _, items = at(marked.replace("add(|", "add\\\\(|"))
    assert items[0].filter_text.startswith('"assert add\\\\(')


def test_a_pattern_that_is_used_is_not_offered_again() -> None:
    used = '"type": "assertion_exists", "path": "calc.py", "pattern": "def add\\\\(" }, {'
    assert "def add(a, b):" not in labels(
        oracle(f'{used} "type": "assertion_exists", "path": "calc.py", "pattern": "|"')
    )


def test_commands_come_from_the_workspace() -> None:
    assert labels(oracle('"type": "test_must_pass", "command": "|"')) == [
        "python -m pytest tests/test_calc.py -q",
        "python -m pytest -q",
        "node --test web/app.test.js",
        "npm test",
        "cargo test -q",
        "go test ./...",
        "make check",
        "sh 'run tests.sh'",
    ]


def test_a_whole_command_is_replaced() -> None:
    marked = oracle('"type": "test_must_pass", "command": "py|thon -m x y"')
    assert json.loads(accepted(marked, "make check"))["oracles"][0]["command"] == "make check"


NEIGHBOURS = {
    "a.json": '{ "id": "one", "name": "First", "tags": ["python", "bug"], "workspace": {}, "oracles": [] }',
    "b.json": '{ "id": "two", "tags": ["python"], "workspace": {}, "oracles": [] }',
    "quick.manifest.json": '{ "task_files": ["a.json"] }',
}


def around(marked: str, path: str) -> list[str]:
    offset = marked.index("|")
    known = Known(NEIGHBOURS, path.rpartition("/")[2])
    items = complete(Document(marked.replace("|", "", 1), path), offset, SPECS, known)
    return [item.label for item in items]


def test_what_neighbours_know() -> None:
    assert around('{ "workspace": {}, "tags": ["|"], "oracles": [] }', "tasks/c.json") == ["python", "bug"]
    assert around('{ "workspace": {}, "tags": ["bug", |], "oracles": [] }', "tasks/c.json") == ["python"]
    assert around('{ "task_files": ["a.json", "|"] }', "tasks/x.manifest.json") == ["b.json"]
    assert around('{ "task_subset": "|" }', "tasks/x.manifest.json") == ["quick.manifest.json"]
    assert around('{ "metadata": { "task": "|" }, "steps": [] }', "x.trajectory.json") == ["one", "two"]


def test_steps_of_a_trajectory() -> None:
    path = "x.trajectory.json"
    assert labels('{ "steps": [|] }', path) == ["write_file", "str_replace", "run_command"]
    assert labels('{ "steps": [{ "tool": "bash", | }] }', path) == ["type", "args", "error"]
    assert labels('{ "steps": [{ "tool": "bash", "args": { | } }] }', path) == ["command"]
    assert "str_replace" in labels('{ "steps": [{ "tool": "|" }] }', path)
    assert labels('{ "steps": [{ "type": "|" }] }', path) == ["tool_call", "file_edit", "command"]
    step = '{ "tool": "write_file", "args": { "path": "%s", "content": "" } }'
    assert labels(f'{{ "steps": [{step % "src/a.py"}, {step % "|"}] }}', path) == ["src/a.py"]


def test_codes_to_ignore() -> None:
    assert "unprotected-test" in labels('{ "oracles": [], "ignore_rules": ["|"] }')


FILES = sorted(TASKS.glob("*.json"))


@given(st.sampled_from(FILES), st.data())
def test_completion_works_at_every_place_of_half_written_tasks(file: Path, data: st.DataObject) -> None:
    text = file.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text)))
    for document in (Document(text[:at], "tasks/x.json"), Document(text, "tasks/x.json")):
        for item in complete(document, at, SPECS):
            assert 0 <= item.start <= at <= item.end <= len(document.text)
            assert "\n" not in document.text[item.start : item.end]

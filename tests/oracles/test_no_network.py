"""`no_network`."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.oracles.no_network import NETWORK_PATTERNS, NetworkPattern, first_sign
from tests.helpers.build import bash, evaluate, write

NET = {"type": "no_network"}
CAUGHT = [
    "curl x",
    "wget x",
    "CURL x",
    "python -c 'import urllib.request'",
    "pip install x",
    "pip3 install x",
    "pip  install x",
    "pip -q install x",
    "python -m pip install x",
    "npm i x",
    "npm install",
    "npm ci",
    "pnpm add x",
    "yarn add x",
    "bun add x",
    "cargo add x",
    "go get example.org/x",
    "c''url x",
    'c""url x',
    "c\\url x",
    "pip download x",
    "git clone git@h:r",
    "npx x",
    "uvx ruff",
    "exec 3<>/dev/tcp/h/80",
    "ssh host ls",
    "apt-get install -y x",
    "openssl s_client -connect h:443",
]
HARMLESS = [
    "echo curly",
    "npm test",
    "npm run build",
    "yarn test",
    "git status",
    "git commit -m x",
    "python -m pytest",
    "cargo test",
    "go test ./...",
    "echo 'Handles all requests. Done'",
    "ls webbrowsers",
    "pip list",
    "pip --version",
    "cargo build",
]


@pytest.mark.parametrize("command", CAUGHT)
def test_caught(command: str) -> None:
    result = evaluate(NET, bash("ls"), bash(command))
    assert not result.passed
    violation = result.details["violations"][0]
    assert violation["step_index"] == 1
    assert violation["tool"] == "bash"
    assert violation["where"] == "command"


@pytest.mark.parametrize("command", HARMLESS)
def test_harmless(command: str) -> None:
    assert evaluate(NET, bash(command)).passed


@pytest.mark.parametrize(
    ("step", "match", "where"),
    [
        (write("a.py", "x = 'https://example.org'"), "https://", "content"),
        (write("a.py", "import requests\nrequests.get(u)"), "requests.", "content"),
        (write("a.js", "await fetch('/x')"), "fetch(", "content"),
        ({"tool": "browse", "args": {"url": "http://x"}}, "http://", "other"),
        ({"tool": "think", "text": "use curl"}, "curl", "other"),
    ],
)
def test_where_it_was_found(step: dict[str, Any], match: str, where: str) -> None:
    result = evaluate(NET, step)
    assert result.details["violations"] == [{"step_index": 0, "tool": step["tool"], "match": match, "where": where}]


@pytest.mark.parametrize(
    "text", ["Handles all requests. Done", "curly braces", "prefetch(x)", "websocket.", "let's go get lunch"]
)
def test_prose_and_parts_of_words_are_not_network(text: str) -> None:
    assert evaluate(NET, write("a.md", text)).passed


def test_every_step_is_reported() -> None:
    result = evaluate(NET, bash("curl x"), bash("ls"), bash("wget y"))
    assert [v["step_index"] for v in result.details["violations"]] == [0, 2]
    assert "(and 1 more step)" in result.message
    assert evaluate(NET).details == {"violations": []}


@given(st.sampled_from(NETWORK_PATTERNS), st.text(max_size=5), st.data())
def test_looking_for_a_word_first_misses_no_sign(pattern: NetworkPattern, around: str, data: st.DataObject) -> None:
    never = "(?!)" in pattern.anywhere
    sign = "" if never else data.draw(st.from_regex(re.compile(pattern.anywhere, re.IGNORECASE)))
    text = around + sign + around
    expected = next((p.name for p in NETWORK_PATTERNS if re.search(p.anywhere, text, re.IGNORECASE)), None)
    assert first_sign(text) == expected

"""A recording may hold anything anywhere: it is imported or refused, never a crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.importers.core.importer import importers
from agentbench_lsp.importers.core.importing import NoSessionError, read_sessions
from agentbench_lsp.importers.core.source import Source

KEYS = [
    "type",
    "message",
    "content",
    "role",
    "id",
    "sessionId",
    "uuid",
    "payload",
    "call_id",
    "name",
    "arguments",
    "input",
    "output",
    "action",
    "observation",
    "args",
    "cause",
    "extras",
    "messages",
    "steps",
    "schema_version",
    "tool_calls",
    "toolCalls",
    "status",
    "parts",
    "state",
    "info",
    "projectHash",
    "requests",
    "response",
    "samples",
    "eval",
    "events",
    "history",
    "ts",
    "say",
    "ask",
    "text",
    "kind",
    "data",
]
WORDS = st.sampled_from(
    ["user", "assistant", "tool", "tool_use", "edit", "gemini", "ATIF-v1.7", "response_item", "", "\ud83d"]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 3), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)),
    max_leaves=20,
)


@given(st.lists(VALUES, max_size=4), st.booleans(), st.integers(0, 40), st.sampled_from([None, *sorted(importers())]))
def test_any_json_is_imported_or_refused(values: list[Any], lines: bool, cut: int, name: str | None) -> None:
    text = "\n".join(map(json.dumps, values)) if lines else json.dumps(values[0] if values else {})
    for part in (text, text[: len(text) - cut]):
        try:
            for session in read_sessions(Source(Path("x.jsonl"), part), name):
                json.dumps(session.document)
        except NoSessionError as exc:
            assert exc.args != ("",), part  # noqa: PT017 - a refusal is one of two right answers

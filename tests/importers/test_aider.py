"""Aider: the chat history in Markdown."""

from __future__ import annotations

from pathlib import Path

from tests.importers.test_importers import left, session

START = "# aider chat started at 2026-01-01 10:00:00"
HEAD = f"\n{START}\n\n> Aider v0.80.0\n> Model: gpt-4 with diff edit format\n\n#### Do it.\n\n"
BLOCK = "<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n"


def test_blocks_and_whole_files(tmp_path: Path) -> None:
    text = f"{HEAD}Change it:\n\na.txt\n```python\n{BLOCK}```\n\nAnd `sub/new.txt`:\n\nsub/new.txt\n```\nx\n```\n\n"
    found = session(
        tmp_path, text + "> Applied edit to a.txt\n> Applied edit to sub/new.txt\n> Commit abc it\n", "h.md"
    )
    assert left(found, a_txt="one\n") == {"a.txt": "two\n", "sub/new.txt": "x\n"}
    assert found.prompt == "Do it."
    assert found.document["metadata"]["model"] == "gpt-4"


def test_what_was_not_applied_is_a_failed_step(tmp_path: Path) -> None:
    text = f"{HEAD}a.txt\n```\n{BLOCK}```\n\n> # 1 SEARCH/REPLACE block failed to match!\n"
    found = session(tmp_path, text, "h.md")
    assert left(found, a_txt="one\n") == {"a.txt": "one\n"}
    assert found.fidelity.failed == 1


def test_a_unified_diff(tmp_path: Path) -> None:
    text = f"{HEAD}```diff\n--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+two\n```\n\n> Applied edit to a.txt\n"
    assert left(session(tmp_path, text, "h.md"), a_txt="one\n") == {"a.txt": "two\n"}


def test_code_that_is_only_shown_is_no_edit(tmp_path: Path) -> None:
    found = session(tmp_path, f"{HEAD}Run\n\nmain.py\n```\nprint()\n```\n\n> Running pytest -q\n", "h.md")
    assert [step.tool for step in found.trajectory.steps] == ["run"]

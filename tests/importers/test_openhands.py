"""OpenHands: lists of events, output.jsonl, the events of the agent SDK, those of the first versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.importers.test_importers import SUBMISSION, left, session

PATH = "/workspace/a.txt"


def edit(number: int, **args: Any) -> dict[str, Any]:
    return {"id": number, "action": "edit", "args": {"path": PATH, **args}}


def edited(cause: int, **extras: Any) -> dict[str, Any]:
    about = {"path": PATH, "prev_exist": True, **extras}
    return {"id": cause + 1, "cause": cause, "observation": "edit", "content": "edited", "extras": about}


def test_the_observed_contents_count_where_the_file_was_there(tmp_path: Path) -> None:
    events = [
        edit(1, command="str_replace", old_str="one", new_str="two"),
        edited(1, old_content="one\n", new_content="two, cleaned up\n"),
    ]
    found = session(tmp_path, {"history": events}, "h.json")
    assert left(found) == {"a.txt": "two, cleaned up\n"}
    assert found.originals == {"a.txt": b"one\n"}


def test_a_draft_of_a_model_is_what_was_observed_and_nothing_if_it_failed(tmp_path: Path) -> None:
    draft = {"command": "", "content": "# ... existing code ...\ntwo", "start": 1, "end": -1}
    events = [edit(1, **draft), edited(1, old_content="one\n", new_content="one\ntwo\n", impl_source="llm_based_edit")]
    assert left(session(tmp_path, {"history": events}, "h.json")) == {"a.txt": "one\ntwo\n"}
    events[1] = {"id": 2, "cause": 1, "observation": "error", "content": "no"}
    found = session(tmp_path, {"history": events}, "h.json")
    assert left(found, a_txt="one\n") == {"a.txt": "one\n"}
    assert found.fidelity.failed == 1


def test_a_draft_without_an_observed_content_is_unsupported(tmp_path: Path) -> None:
    events = [
        edit(1, command="", content="x", start=1, end=-1),
        {"id": 2, "cause": 1, "observation": "edit", "content": "ok", "extras": {"path": PATH}},
    ]
    found = session(tmp_path, {"history": events}, "h.json")
    assert [note.step for note in found.fidelity.unsupported] == [0]
    assert found.fidelity.applied == 0


def test_the_final_diff_of_a_benchmark_run(tmp_path: Path) -> None:
    run = {"id": 1, "action": "run", "args": {"command": "sed -i s/one/two/ a.txt"}}
    ran = {
        "id": 2,
        "cause": 1,
        "observation": "run",
        "content": "",
        "extras": {"metadata": {"exit_code": 0, "working_dir": "/workspace"}},
    }
    record = {
        "instance_id": "i",
        "instruction": "Do it.",
        "history": [[run, ran]],
        "test_result": {"git_patch": SUBMISSION},
    }
    found = session(
        tmp_path,
        [
            record,
        ],
        "output.jsonl",
    )
    assert found.prompt == "Do it."
    assert left(found, a_txt="one\n") == {"a.txt": "two\n"}
    assert [note.step for note in found.fidelity.commands] == [0]


def test_events_of_the_agent_sdk(tmp_path: Path) -> None:
    action = {"kind": "FileEditorAction", "command": "str_replace", "path": PATH, "old_str": "one", "new_str": "two"}
    seen = {"command": "str_replace", "path": PATH, "prev_exist": True, "old_content": "one\n", "new_content": "two\n"}
    first = {"id": "e1", "kind": "ActionEvent", "tool_name": "file_editor", "tool_call_id": "c1", "action": action}
    second = {**first, "id": "e2", "tool_call_id": "c2"}
    third = {**first, "id": "e3", "tool_call_id": "c3"}
    events = [
        first,
        {"id": "o1", "kind": "ObservationEvent", "action_id": "e1", "observation": seen},
        second,
        {"id": "o2", "kind": "AgentErrorEvent", "action_id": "e2", "tool_call_id": "c2", "error": "no such tool"},
        third,
        {"id": "o3", "kind": "UserRejectObservation", "action_id": "e3", "rejection_reason": "no"},
    ]
    found = session(tmp_path, events)
    assert left(found) == {"a.txt": "two\n"}
    assert (found.fidelity.applied, found.fidelity.failed) == (1, 2)

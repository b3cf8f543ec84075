"""Cline and Roo: the API history with tools or XML, the messages of the interface."""

from __future__ import annotations

import json
from pathlib import Path

from tests.importers.test_importers import left, session

ENVIRONMENT = "<environment_details>\n# Current Working Directory (/repo) Files\n</environment_details>"
BLOCK = "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE\n"


def test_xml_in_the_text_of_older_tasks(tmp_path: Path) -> None:
    write = "<write_to_file>\n<path>b.txt</path>\n<content>\nnew\n</content>\n</write_to_file>"
    replace = f"<replace_in_file>\n<path>a.txt</path>\n<diff>\n{BLOCK}</diff>\n</replace_in_file>"
    messages = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "<task>\nDo it.\n</task>"}, {"type": "text", "text": ENVIRONMENT}],
        },
        {"role": "assistant", "content": [{"type": "text", "text": write}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "[write_to_file for 'b.txt'] Result:"},
                {"type": "text", "text": "Saved."},
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": replace}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "[replace_in_file for 'a.txt'] Result:"},
                {"type": "text", "text": "Saved."},
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": write.replace("b.txt", "c.txt")}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "[write_to_file for 'c.txt'] Result:"},
                {"type": "text", "text": "The user denied this operation."},
            ],
        },
    ]
    found = session(tmp_path, json.dumps(messages), "api_conversation_history.json")
    assert found.format == "cline"
    assert found.prompt == "Do it."
    assert left(found, a_txt="one\n") == {"a.txt": "two\n", "b.txt": "new\n"}
    assert (found.fidelity.applied, found.fidelity.failed) == (2, 1)


def test_the_final_content_in_a_result_counts(tmp_path: Path) -> None:
    final = 'Saved.\n<final_file_content path="a.txt">\ntwo, as the user left it\n\n</final_file_content>'
    call = {"type": "tool_use", "id": "1", "name": "replace_in_file", "input": {"path": "a.txt", "diff": BLOCK}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": ENVIRONMENT}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": final}]},
    ]
    found = session(tmp_path, json.dumps(messages), "api_conversation_history.json")
    assert left(found, a_txt="one\n") == {"a.txt": "two, as the user left it\n"}


def test_messages_of_the_interface_count_once_they_are_approved(tmp_path: Path) -> None:
    def edited(name: str) -> str:
        return json.dumps({"tool": "newFileCreated", "path": name, "content": "x\n"})

    messages = [
        {"ts": 1, "type": "say", "say": "task", "text": "Do it."},
        {"ts": 2, "type": "say", "say": "tool", "text": edited("half.txt"), "partial": True},
        {"ts": 3, "type": "say", "say": "tool", "text": edited("a.txt")},
        {"ts": 4, "type": "ask", "ask": "tool", "text": edited("b.txt")},
        {"ts": 5, "type": "say", "say": "user_feedback", "text": "no"},
        {"ts": 6, "type": "ask", "ask": "command", "text": "pytest"},
        {"ts": 7, "type": "say", "say": "command_output", "text": "ok"},
        {"ts": 8, "type": "ask", "ask": "tool", "text": edited("c.txt")},
    ]
    found = session(tmp_path, json.dumps(messages), "ui_messages.json")
    assert left(found) == {"a.txt": "x\n"}
    assert (found.fidelity.applied, found.fidelity.failed) == (1, 2)
    assert [command for _, command in found.trajectory.commands()] == ["pytest"]

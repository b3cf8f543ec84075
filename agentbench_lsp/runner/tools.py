"""The tools of agents that replay knows, by name: which write files, which run commands, which reach the network.

How an editing tool's arguments are read does not hang on its name but on their shape: see `edits.reading`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["edit", "command", "network"]


class Tool(NamedTuple):
    """A tool, the agents that have it, and the arguments that say what it does."""

    name: str
    kind: Kind
    agents: str
    args: str


def _tools() -> Iterator[Tool]:
    old_new, seed = "old_string, new_string, replace_all", "AgentBench"
    editor = "command (create, str_replace, insert), path, file_text, old_str, new_str, insert_line"
    yield Tool("write_file", "edit", f"{seed}, Gemini CLI", "path or file_path, content")
    yield Tool("edit_file", "edit", f"{seed}, Roo", f"path or file_path, content or {old_new}")
    yield Tool("str_replace", "edit", seed, "path, old_string, new_string, replace_all")
    yield Tool("Write", "edit", f"{seed}, Claude Code", "file_path, content")
    yield Tool("StrReplace", "edit", seed, "path, old_string, new_string, replace_all")
    yield Tool("Edit", "edit", "Claude Code", f"file_path, {old_new}")
    yield Tool("MultiEdit", "edit", "Claude Code", "file_path, edits (old_string, new_string, replace_all)")
    yield Tool("NotebookEdit", "edit", "Claude Code", "notebook_path, cell_id, cell_type, new_source, edit_mode")
    yield Tool(
        "apply_patch", "edit", "Codex CLI, OpenCode, Cline, Roo, VS Code", "input, patch, patchText: an envelope"
    )
    yield Tool("applypatch", "edit", "Codex CLI", "input: an envelope")
    yield Tool("replace", "edit", "Gemini CLI", "file_path, old_string, new_string, allow_multiple")
    for name in ("str_replace_editor", "str_replace_based_edit_tool", "text_editor", "file_editor"):
        yield Tool(name, "edit", "SWE-agent, OpenHands, Inspect, Anthropic API", editor)
    yield Tool(
        "edit",
        "edit",
        "OpenCode, OpenHands, Roo",
        "filePath, oldString, newString, replaceAll; path, command",
    )
    yield Tool("write", "edit", "OpenCode, OpenHands", "filePath or path, content")
    yield Tool("multiedit", "edit", "OpenCode", "filePath, edits (oldString, newString, replaceAll)")
    yield Tool("write_to_file", "edit", "Cline, Roo", "path or absolutePath, content")
    yield Tool("replace_in_file", "edit", "Cline", "path or absolutePath, diff: search/replace blocks")
    yield Tool("new_rule", "edit", "Cline", "path, content")
    yield Tool("editor", "edit", "Cline SDK", "path, old_text, new_text, insert_line")
    yield Tool("apply_diff", "edit", "Roo", "path, diff: search/replace blocks")
    yield Tool("search_and_replace", "edit", "Roo", f"file_path, {old_new}")
    yield Tool("search_replace", "edit", "Roo", "file_path, old_string, new_string")
    yield Tool("insert_content", "edit", "Roo", "path, line (the text goes before it, 0: at the end), content")
    yield Tool("create_file", "edit", "VS Code", "filePath, content")
    yield Tool("replace_string_in_file", "edit", "VS Code", "filePath, oldString, newString")
    yield Tool("multi_replace_string_in_file", "edit", "VS Code", "replacements (filePath, oldString, newString)")
    yield Tool("insert_edit_into_file", "edit", "VS Code", "not replayed: its code has gaps; the recorded ranges are")
    yield Tool("edit_notebook_file", "edit", "VS Code", "filePath, editType, cellId, newCode, language")
    yield Tool("delete_file", "edit", "Cursor and others", "path or target_file")
    yield Tool("move_file", "edit", "MCP and others", "path or source, move_to or destination")
    command = "command or cmd"
    for name in ("run_command", "shell", "bash", "Bash", "execute"):
        yield Tool(name, "command", f"{seed} and others", command)
    yield Tool("PowerShell", "command", "Claude Code", command)
    for name in ("shell_command", "exec_command", "local_shell"):
        yield Tool(name, "command", "Codex CLI", command)
    yield Tool("run_shell_command", "command", "Gemini CLI", command)
    for name in ("execute_bash", "run", "terminal"):
        yield Tool(name, "command", "OpenHands", command)
    yield Tool("execute_command", "command", "Cline, Roo", command)
    yield Tool("run_commands", "command", "Cline SDK", "commands")
    yield Tool("run_in_terminal", "command", "VS Code", command)
    yield Tool("bash_session", "command", "Inspect", command)
    yield Tool("bash_command", "command", "Terminus", "keystrokes")
    for name in ("WebFetch", "WebSearch"):
        yield Tool(name, "network", "Claude Code", "url or query")
    for name in ("web_search", "web_fetch", "google_web_search", "webfetch", "websearch", "fetch_webpage"):
        yield Tool(name, "network", "Codex CLI, Gemini CLI, OpenCode, VS Code", "url or query")
    for name in ("browse", "browse_interactive", "browser_action"):
        yield Tool(name, "network", "OpenHands, Cline", "url or code")


TOOLS: tuple[Tool, ...] = tuple(_tools())
WRITE_TOOLS = frozenset(tool.name for tool in TOOLS if tool.kind == "edit")
COMMAND_TOOLS = frozenset(tool.name for tool in TOOLS if tool.kind == "command")
NETWORK_TOOLS = frozenset(tool.name for tool in TOOLS if tool.kind == "network")

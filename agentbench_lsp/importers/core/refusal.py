"""What a file is that is no session, so that the user sees what went wrong."""

from __future__ import annotations

from agentbench_lsp.importers.core.json_stream import decode
from agentbench_lsp.importers.core.source import Head


def what_it_is(head: Head) -> str:
    """Why a file is not imported: what was recognised, and what is missing."""
    if head.shape == "zip":
        return "a zip archive without the samples of an Inspect log"
    if head.shape == "binary":
        return "a binary file, not a session"
    if not head.text.strip():
        return "the file is empty"
    if head.shape == "text":
        if head.text.lstrip()[:1] in ("{", "["):
            return "JSON that ends before its first value is whole: half a file?"
        return "text that is neither JSON nor the chat history of Aider"
    return _of_records(head)


def _of_records(head: Head) -> str:
    records, fields = head.records, head.fields
    if any({"ts", "dir", "kind"} <= record.keys() for record in records):
        return (
            "a log of the Codex terminal interface (records with ts, dir and kind), which has no tool calls; the"
            " session is the rollout-….jsonl in ~/.codex/sessions"
        )
    if "oracles" in fields and "workspace" in fields:
        return "a task of AgentBench, not a session"
    if isinstance(fields.get("steps"), list) and "schema_version" not in fields:
        return "a trajectory of AgentBench, or something like it: it needs no import"
    if "messages_path" in fields:
        return "the index of a Cline session; its calls are in the file that messages_path names"
    if head.shape == "document" and not fields and not records:
        try:
            decode(head.text)
        except ValueError:
            return "JSON that ends before its first value is whole: half a file?"
        return "JSON that holds no objects"
    keys = sorted({key for record in records[:20] for key in record} | fields.keys())[:12]
    return f"JSON with {', '.join(keys) or 'no keys'}: no format that is known (agentbench import --help lists them)"

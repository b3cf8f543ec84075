"""The diff that a run ends with: what the agent left, whatever its steps and commands did."""

from __future__ import annotations

from typing import Any

from agentbench_lsp.importers.core.known_files import canonical
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.runner.edits import FileEdit, NotAppliedError
from agentbench_lsp.runner.edits.unified_diff import parse_diff


def submit(recorder: Recorder, diff: str, line: int, cwd: str | None) -> None:
    """A last step that leaves each file as the diff says, and those it does not name as they were at the start.

    Its paths are below the folder of the repository: the one where the edits have them, else `cwd`.
    """
    text = diff.replace("\r\n", "\n") if _crlf_by_transport(diff) else diff
    if not text.strip():
        return
    try:
        edits = parse_diff(text)
    except NotAppliedError as exc:
        recorder.notes.append(f"the run's last diff cannot be read, and is left out: {exc}")
        return
    changed = {canonical(p, each.cwd) for each in recorder.steps if each.settled for p in each.settled.paths}
    folder = _folder(edits, changed) or cwd
    named = {canonical(path, folder) for edit in edits for path in (edit.path, edit.target)}
    said: list[dict[str, Any]] = [{"diff": text, "against": "start"}]
    said += [{"path": path, "restore": True} for path in sorted(changed - named) if _is_below(path, folder)]
    recorder.step("submit", {}, line, cwd=folder, edits=said)
    recorder.steps[-1].closing = True


def _crlf_by_transport(diff: str) -> bool:
    """True if even the heads of the diff end in CRLF: a terminal made it so, not the files."""
    heads = [line for line in diff.split("\n") if line.startswith(("diff --git ", "@@ "))]
    return bool(heads) and all(line.endswith("\r") for line in heads)


def _folder(edits: list[FileEdit], changed: set[str]) -> str | None:
    for edit in edits:
        for path in changed:
            if path.startswith("/") and path.endswith(f"/{edit.target}"):
                return path.removesuffix(f"/{edit.target}") or "/"
    return None


def _is_below(path: str, folder: str | None) -> bool:
    return folder is None or path.startswith(canonical(folder, None) + "/")

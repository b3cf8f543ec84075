"""What an import says of itself: lines for people, plain data for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.core.session import Session, StepNote

_SHOWN = 20


def report(session: Session) -> dict[str, Any]:
    """An import as plain data."""
    metadata = session.document["metadata"]
    names = ("agent", "agent_version", "model", "session_id", "started", "ended", "tokens", "cwd")
    return {
        "format": session.format,
        "instance": session.instance,
        **{name: metadata[name] for name in names if name in metadata},
        "fidelity": session.fidelity.as_json(),
        "warnings": session.warnings,
    }


def summary_lines(session: Session) -> Iterator[str]:
    """An import for people; the fidelity comes last."""
    metadata, fidelity = session.document["metadata"], session.fidelity
    who = " ".join(str(metadata[name]) for name in ("agent", "agent_version") if name in metadata)
    what = [who or session.format, metadata.get("model"), f"{fidelity.steps} steps"]
    head = f"{session.instance}: " if session.instance else ""
    root = metadata.get("cwd")
    yield head + ", ".join(str(part) for part in what if part) + (f", in {root}" if root else "")
    yield from _notes(fidelity.commands, "not replayed: step {step}: {what} ({reason})")
    yield from _notes(fidelity.unsupported, "unsupported: step {step}: {what}: {reason}")
    yield from _notes(fidelity.outside, "outside: step {step}: {reason}")
    yield from _notes(fidelity.drifted, "changed meanwhile: before step {step}: {what}: {reason}")
    for path in fidelity.differing[:_SHOWN]:
        yield f"differs: {path} is not as the recording says the agent left it"
    for warning in session.warnings:
        yield f"warning: {warning}"
    yield fidelity.summary()


def _notes(notes: list[StepNote], form: str) -> Iterator[str]:
    for note in notes[:_SHOWN]:
        shown = " ".join(note.what.split())
        yield form.format(step=note.step, what=shown, reason=" ".join(note.reason.split()))
    if len(notes) > _SHOWN:
        yield f"… and {len(notes) - _SHOWN} more"

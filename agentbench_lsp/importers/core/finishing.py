"""From a recorder to a session: the root, relative working folders, metadata, and the check of what was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentbench_lsp.importers.core.known_files import canonical
from agentbench_lsp.importers.core.recorder import Recorded, Recorder
from agentbench_lsp.importers.core.root import choose_root
from agentbench_lsp.importers.core.session import Fidelity, Session, StepNote
from agentbench_lsp.models.paths import escapes, is_absolute, relative_to_root, unusable
from agentbench_lsp.runner.edits import EditReport
from agentbench_lsp.runner.replay import replay_files
from agentbench_lsp.runner.shell_risk import change_reason
from agentbench_lsp.runner.trajectory import Trajectory, TrajectoryStep

_COMMAND = 200  # characters of a command that are shown


def finished(recorder: Recorder, root: str | None, source_name: str) -> Session:
    """The session of a recorder. `root` is the folder of the recorded machine to take, None to choose it."""
    edited = [canonical(p, each.cwd) for each in recorder.steps if each.settled for p in each.settled.paths]
    cwds = list(recorder.cwds)
    chosen = root if root is not None else choose_root(cwds, edited)
    guessed = root is None and chosen is not None and not cwds
    steps = [_step(each, chosen) for each in recorder.steps]
    metadata: dict[str, Any] = {}
    if chosen is not None:
        metadata["cwd"] = chosen
    if guessed:
        metadata["cwd_guessed"] = True
    metadata |= {**recorder.about, "source": {"format": recorder.format, "file": source_name}}
    if recorder.instance:
        metadata["instance"] = recorder.instance
    if recorder.prompt:
        metadata["prompt"] = recorder.prompt
    document = {"metadata": metadata, "steps": steps}
    trajectory = Trajectory.from_dict(document)
    originals = {
        path: content
        for key, content in recorder.files.originals.items()
        if content is not None and _inside(path := relative_to_root(key, chosen))
    }
    touched = {
        relative_to_root(canonical(p, each.cwd), chosen)
        for each in recorder.steps
        if each.settled
        for p in each.settled.paths
    }
    fidelity = _fidelity(recorder, trajectory, chosen, originals)
    warnings = list(recorder.notes)
    if guessed:
        warnings.append(
            f"the recording names no working folder; {chosen}, which all edits are below, was taken (--root)"
        )
    if root is not None and edited and len(fidelity.outside) == fidelity.applied > 0:
        warnings.append(f"no edit is below the root {root}")
    return Session(
        recorder.format,
        recorder.instance,
        document,
        fidelity,
        originals,
        frozenset(originals) - touched,
        recorder.prompt,
        warnings,
    )


def _risk(step: TrajectoryStep) -> str | None:
    return change_reason(step.command or "") if step.is_command and not step.failure else None


def _inside(path: str) -> bool:
    return not escapes(path) and unusable(path) is None and not path.startswith("~")


def _step(recorded: Recorded, root: str | None) -> dict[str, Any]:
    """The step, with its working folder where that is not the root."""
    raw, cwd = recorded.raw, recorded.cwd
    if cwd is None or root is None or not is_absolute(cwd):
        return raw
    relative = relative_to_root(cwd, root)
    if relative == "":
        return raw
    head = {name: raw[name] for name in ("type", "tool", "args")}
    return {**head, "cwd": cwd if escapes(relative) else relative, **raw}


def _fidelity(recorder: Recorder, trajectory: Trajectory, root: str | None, originals: Mapping[str, bytes]) -> Fidelity:
    told = Fidelity(steps=len(recorder.steps))
    done = replay_files(originals, trajectory)
    reports: dict[int, list[EditReport]] = {}
    for report in done.reports:
        reports.setdefault(report.step, []).append(report)
    left: dict[str, bytes | None] = {}
    files: set[str] = set()
    for index, (recorded, step) in enumerate(zip(recorder.steps, trajectory.steps, strict=True)):
        settled = recorded.settled
        if settled is None:
            if step.is_write and step.failure:
                told.failed += 1
            elif reason := recorded.doubt or _risk(step):
                told.commands.append(StepNote(index, (step.command or step.tool or "")[:_COMMAND], reason))
            continue
        told.drifted += [StepNote(index, path, "it was changed by something else before") for path in settled.drifted]
        outside = [r for r in reports.get(index, ()) if r.status == "outside-workspace"]
        told.outside += [StepNote(index, r.path, r.reason) for r in outside]
        if settled.fault:
            path = settled.paths[0] if settled.paths else ""
            told.unsupported.append(StepNote(index, path, settled.fault))
            continue
        if recorded.closing:
            told.final_diff = True
        else:
            told.applied += 1
        keys = {path: relative_to_root(canonical(path, recorded.cwd), root) for path in settled.paths}
        files |= {key for key in keys.values() if not escapes(key)}
        for key in keys.values():
            left.pop(key, None)
        left |= {relative_to_root(key, root): content for key, content in settled.left.items()}
    told.files = len(files)
    for path in sorted(files & left.keys()):
        if done.files.get(path) == left[path]:
            told.checked += 1
        else:
            told.differing.append(path)
    return told

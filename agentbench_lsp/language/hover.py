"""What there is to say about the place under the cursor, as Markdown."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace

from agentbench_lsp.dsl.regex_syntax import regex_fault
from agentbench_lsp.dsl.schema import document_schema
from agentbench_lsp.language import diagnostics
from agentbench_lsp.language.manifest_document import ManifestDocument
from agentbench_lsp.language.navigation import links, step_at
from agentbench_lsp.language.oracle_docs import oracle_markdown, param_markdown
from agentbench_lsp.language.path_uses import use_at, uses_of
from agentbench_lsp.language.pattern_search import spans
from agentbench_lsp.language.place import Place, place_at
from agentbench_lsp.language.regex_words import explain
from agentbench_lsp.language.rule_settings import IGNORE_FIELD
from agentbench_lsp.language.surroundings import MOST_MATCHES
from agentbench_lsp.language.task_document import OracleView, PatternView, TaskDocument, content_of
from agentbench_lsp.language.trajectory_document import StepView, TrajectoryDocument
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.runner.edits.reading import NEW_ARGS, OLD_ARGS, WHOLE_ARGS
from agentbench_lsp.runner.replay import Replay, infer_root, replay, workspace_files
from agentbench_lsp.syntax.line_index import LineIndex

_FIRST_LINES = 15
_MOST_SHOWN = 8  # matches
_DIFF_LINES = 40
_LANGUAGES = {
    "py": "python",
    "js": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "ts": "typescript",
    "tsx": "tsx",
    "sh": "sh",
    "rs": "rust",
    "go": "go",
    "rb": "ruby",
    "md": "markdown",
    "yml": "yaml",
    "yaml": "yaml",
    "json": "json",
    "toml": "toml",
    "ini": "ini",
    "c": "c",
    "h": "c",
    "java": "java",
    "diff": "diff",
}


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown for a range."""

    start: int
    end: int
    markdown: str


def hover(view: DocumentView, offset: int) -> Hover | None:
    """What is known of the place at an offset; None where that is nothing."""
    place = place_at(view.document, offset)
    if place.path[:1] == (IGNORE_FIELD,) and len(place.path) == 2:
        return _rule(place)
    if isinstance(view, TaskDocument):
        found = _in_task(view, place, offset)
    elif isinstance(view, TrajectoryDocument):
        found = _in_trajectory(view, offset)
    else:
        found = _in_manifest(view, offset) if isinstance(view, ManifestDocument) else None
    return found or _field(view, place)


def _rule(place: Place) -> Hover | None:
    known = diagnostics.all_rules().get(place.text.value) if place.text else None
    if known is None or place.text is None:
        return None
    what = known.page.partition("\n## ")[0].strip()
    return Hover(place.text.start, place.text.end, f"**{known.rule.code}** · {known.rule.title}\n\n{what}")


def _field(view: DocumentView, place: Place) -> Hover | None:
    if not place.on_key or place.prop is None or len(place.path) != 1 or view.document.kind is None:
        return None
    schema = document_schema(view.document.kind)["properties"].get(place.path[0], {})
    text = schema.get("description")
    return Hover(place.prop.key.start, place.prop.key.end, str(text)) if text else None


# Tasks


def _in_task(view: TaskDocument, place: Place, offset: int) -> Hover | None:
    if len(place.path) >= 2 and place.path[0] == "oracles":
        oracle = next((o for o in view.oracles if o.index == place.path[1]), None)
        found = _in_oracle(view, oracle, place) if oracle else None
        if found:
            return found
    use = use_at(view, offset)
    if use is None:
        return None
    return Hover(use.start, use.end, _file(view, use.path))


def _in_oracle(view: TaskDocument, oracle: OracleView, place: Place) -> Hover | None:
    if oracle.spec is None or len(place.path) < 3 or place.prop is None:
        return None
    name = str(place.path[2])
    value = place.prop.value
    if name == "type" and (place.on_key or value is not None):
        node = place.prop.key if place.on_key or value is None else value
        return Hover(node.start, node.end, f"**{oracle.spec.type}**\n\n{oracle_markdown(oracle.spec)}")
    param = oracle.spec.param(name)
    if param is None:
        return None
    if place.on_key:
        key = place.prop.key
        return Hover(key.start, key.end, f"**{oracle.spec.type}.{param.name}**\n\n{param_markdown(param)}")
    pattern = next((p for p in view.patterns if p.node is value), None)
    if pattern is not None:
        return Hover(pattern.node.start, pattern.node.end, _pattern(view, pattern))
    return None


def _file(view: TaskDocument, path: str) -> str:
    """Size, lines, who refers to it, first lines."""
    file = view.folded_files.get(path)
    if file is None:
        return f"`{path}` is no file of this task's workspace."
    content = content_of(file)
    if content is None:
        return f"**{path}**"
    lines = content.splitlines()
    size = len(content.encode("utf-8", "surrogatepass"))
    ends = ", CRLF" if "\r\n" in content else ""
    parts = [f"**{path}** · {_count(len(lines), 'line')} · {size:,} bytes{ends}", _referrers(view, path)]
    return "\n\n".join([*parts, _fence("\n".join(lines[:_FIRST_LINES]), path, more=len(lines) > _FIRST_LINES)])


def _referrers(view: TaskDocument, path: str) -> str:
    oracles = {use.oracle for use in uses_of(view, path) if use.oracle is not None}
    names = []
    for oracle in view.oracles:
        if oracle.index in oracles and oracle.spec is not None:
            names.append(f"`{oracle.spec.type}` (oracle {oracle.index + 1})")
    return f"Named by {', '.join(names)}." if names else "No oracle names it."


def _pattern(view: TaskDocument, pattern: PatternView) -> str:
    parts = []
    fault = regex_fault(pattern.pattern)
    if fault:
        return f"Not a valid regex: {fault[0]}."
    if words := explain(pattern.pattern):
        parts.append("Finds, in this order:\n\n" + "\n".join(f"- {line}" for line in words))
    parts.append(_matches(view, pattern))
    return "\n\n".join(part for part in parts if part)


def _matches(view: TaskDocument, pattern: PatternView) -> str:
    if pattern.file is None or pattern.content is None:
        return ""
    path = pattern.file.key.value
    found = spans(pattern, view.around)
    if found is None:
        return ""
    if not found:
        return f"**No match** in `{path}` as it is now."
    index = LineIndex(pattern.content)
    shown = []
    for start, end in found[:_MOST_SHOWN]:
        number = index.position(start).line
        last = index.position(end).line
        shown.append(f"{number + 1}: {index.line(number)}{' …' if last > number else ''}")
    count = _count(len(found), "match", "matches") if len(found) < MOST_MATCHES else f"{MOST_MATCHES} matches or more"
    return f"**{count}** in `{path}`:\n\n" + _fence("\n".join(shown), "", more=len(found) > _MOST_SHOWN)


# Trajectories


def _in_trajectory(view: TrajectoryDocument, offset: int) -> Hover | None:
    step = step_at(view, offset)
    if step is None:
        return None
    start, end = step.head
    where = (start, end) if start <= offset <= end else (step.node.start, step.node.end)
    if step.step.is_write:
        return Hover(*where, _edit(view, step))
    command = step.step.command
    if step.step.is_command and command:
        note = "Replay does not run commands."
        return Hover(*where, f"**Step {step.step.index}** runs\n\n{_fence(command, 'x.sh')}\n\n{note}")
    return None


def _edit(view: TrajectoryDocument, step: StepView) -> str:
    title = f"**Step {step.step.index}**"
    if view.task is None:
        return f"{title} · {_recorded_edit(step)}"
    name, task = view.task
    before, after = _around_step(view, task, step.step.index)
    reports = [report for report in after.reports if report.step == step.step.index]
    applied = [report.path for report in reports if report.status == "applied"]
    if not applied:
        reason = reports[0].reason if reports else "it is no edit"
        return f"{title} changes nothing: {reason}."
    shown = [_changed(path, before.files.get(path), after.files.get(path), name) for path in applied]
    return f"{title} " + "\n\n".join(shown)


def _changed(path: str, old: bytes | None, new: bytes | None, task: str) -> str:
    verb = "makes" if old is None else "removes" if new is None else "changes"
    return f"{verb} `{path}` of {task}\n\n{_diff(old, new)}"


def _around_step(view: TrajectoryDocument, task: TaskDocument, index: int) -> tuple[Replay, Replay]:
    recording = view.recording
    if recording.root is None:
        recording = recording.with_root(infer_root(workspace_files(task.contents), recording))
    earlier = replace(recording, steps=recording.steps[:index])
    return replay(task.contents, earlier), replay(task.contents, replace(recording, steps=recording.steps[: index + 1]))


def _recorded_edit(step: StepView) -> str:
    old, new = step.arg(*OLD_ARGS), step.arg(*NEW_ARGS)
    path = step.step.path or "a file it does not name"
    if old is not None and new is not None:
        before, after = (node.value.encode(errors="replace") for node in (old, new))
        return f"changes `{path}`\n\n{_diff(before, after)}"
    content = step.arg(*WHOLE_ARGS) or new
    if content is None:
        others = [each for each in step.step.paths if each != path]
        return "edits " + ", ".join(f"`{each}`" for each in (path, *others))
    lines = content.value.splitlines()
    text = _fence("\n".join(lines[:_FIRST_LINES]), path, more=len(lines) > _FIRST_LINES)
    return f"writes `{path}` ({_count(len(lines), 'line')})\n\n{text}"


def _diff(old: bytes | None, new: bytes | None) -> str:
    before = (old or b"").decode("utf-8", "replace").splitlines()
    after = (new or b"").decode("utf-8", "replace").splitlines()
    lines = list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
    if not lines:
        return "The file stays as it was." if old == new else "Only line ends change."
    return _fence("\n".join(lines[:_DIFF_LINES]), "x.diff", more=len(lines) > _DIFF_LINES)


# Manifests


def _in_manifest(view: ManifestDocument, offset: int) -> Hover | None:
    link = next((link for link in links(view) if link.start <= offset <= link.end), None)
    document = view.around.document(link.path) if link else None
    if link is None or document is None or document.kind != "task":
        return None
    task = TaskDocument(document, view.specs, view.around)
    types = [oracle.spec.type for oracle in task.oracles if oracle.spec]
    head = f"**{task.text_of('id') or link.path}** · {task.text_of('name') or ''}"
    oracles = f"{_count(len(task.files), 'file')}; oracles: {', '.join(types) or 'none'}"
    return Hover(link.start, link.end, f"{head}\n\n{task.text_of('description') or ''}\n\n{oracles}")


def _fence(text: str, path: str, more: bool = False) -> str:
    """A code block that its content cannot end."""
    ticks = "```"
    while ticks in text:
        ticks += "`"
    extension = path.rpartition(".")[2].lower()
    language = _LANGUAGES.get(extension, "")
    return f"{ticks}{language}\n{text}{chr(10) + '…' if more else ''}\n{ticks}"


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"

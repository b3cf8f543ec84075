"""The edits that a step's arguments say, by their shape: agents name the same few things differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from agentbench_lsp.runner.edits.base import FileEdit, NotAppliedError, UnsupportedEditError
from agentbench_lsp.runner.edits.blocks import holds_blocks, parse_blocks
from agentbench_lsp.runner.edits.insertion import Insertion
from agentbench_lsp.runner.edits.line_range import LineRange, Span, Spans
from agentbench_lsp.runner.edits.notebook import CellEdit
from agentbench_lsp.runner.edits.patch_envelope import BEGIN, parse_envelope
from agentbench_lsp.runner.edits.removal import Move, Removal, Restoration
from agentbench_lsp.runner.edits.replacement import Replacement
from agentbench_lsp.runner.edits.several import Several
from agentbench_lsp.runner.edits.unified_diff import parse_diff
from agentbench_lsp.runner.edits.whole import WholeFile

Args = Mapping[str, Any]
# The first non-empty one wins; the seed's come first.
PATH_ARGS = (
    *("path", "file_path", "target_file"),
    *("filePath", "absolutePath", "absolute_path", "notebook_path"),
)
NEW_ARGS = ("new_string", "new_str", "newString", "new_text", "insert_text")
OLD_ARGS = ("old_string", "old_str", "oldString", "old_text")
WHOLE_ARGS = ("content", "file_text")
_PATCH_ARGS = ("patch", "input", "patchText", "patch_text", "diff")
_ALL_ARGS = ("replace_all", "replaceAll", "allow_multiple")
_MOVE_ARGS = ("move_to", "new_path")
_SEVERAL_ARGS = ("edits", "replacements")
_LOOKING = frozenset({"view", "open", "goto", "scroll_up", "scroll_down"})
_UNDO = "undo_edit"
_WRAPS = frozenset({"", "<<EOF", "<<'EOF'", '<<"EOF"'})  # models wrap a patch as if it were for a shell
TEXT_ARGS = frozenset({*NEW_ARGS, *WHOLE_ARGS, *_PATCH_ARGS, *_SEVERAL_ARGS, "new_source", "newCode"})


def looks_only(args: Args) -> bool:
    """True for the calls of an editing tool that change nothing: `command: "view"`."""
    command = args.get("command")
    return isinstance(command, str) and command in _LOOKING


def read_edits(args: Args) -> list[FileEdit]:
    """What a call with these arguments does to files. Raises NotAppliedError where they do not say."""
    for name in _PATCH_ARGS:
        patch = args.get(name)
        if isinstance(patch, str) and patch.split(BEGIN, 1)[0].strip() in _WRAPS and BEGIN in patch:
            return parse_envelope(patch)
    several = [args[name] for name in _SEVERAL_ARGS if isinstance(args.get(name), list)]
    if several:
        return _several(first_text(args, PATH_ARGS), several[0])
    path = first_text(args, PATH_ARGS)
    diff = args.get("diff")
    if isinstance(diff, str) and not holds_blocks(diff):
        return parse_diff(diff, path, args.get("against") == "start")
    if path is None:
        raise NotAppliedError("this edit names no file (args.path)")
    return _of_file(path, args)


def _several(path: str | None, items: Sequence[Any]) -> list[FileEdit]:
    """Edits of one file apply together; those that name files of their own, one by one."""
    if not items or not all(isinstance(item, Mapping) for item in items):
        raise NotAppliedError("its edits are no list of objects")
    own = [first_text(item, PATH_ARGS) for item in items]
    if path is None and None in own:
        raise NotAppliedError("this edit names no file (args.path)")
    edits = [edit for item in items for edit in read_edits({"path": path, **item} if path else item)]
    return edits if any(own) else [Several(path or "", tuple(edits))]


def _of_file(path: str, args: Args) -> list[FileEdit]:
    if args.get("delete") is True:
        return [Removal(path)]
    if args.get("restore") is True:
        return [Restoration(path)]
    moved_to = first_text(args, _MOVE_ARGS)
    if moved_to is not None:
        rest = {name: value for name, value in args.items() if name not in _MOVE_ARGS}
        inner = _of_file(path, rest)[0] if TEXT_ARGS & {*rest} else None
        return [Move(path, moved_to, inner)]
    diff = args.get("diff")
    if isinstance(diff, str):
        blocks = parse_blocks(path, diff, args.get("appends") is True)
        return [blocks[0] if len(blocks) == 1 else Several(path, tuple(blocks))]
    if "edit_mode" in args or "editType" in args or "new_source" in args or "newCode" in args:
        return [_cell(path, args)]
    if args.get("command") == _UNDO:
        raise UnsupportedEditError("undo_edit is not replayed: the recording does not say what it brought back")
    if isinstance(args.get("ranges"), list):
        return [_spans(path, args["ranges"])]
    if (inserted := _inserted(path, args)) is not None:
        return [inserted]
    if args.get("command") != "str_replace" and (content := first_text(args, WHOLE_ARGS, empty=True)) is not None:
        name = next(name for name in WHOLE_ARGS if args.get(name) == content)
        if isinstance(first := _line(args, "start_line", "start"), int) and first > 0:
            last = _line(args, "end_line", "end")
            return [LineRange(path, first, None if last == -1 else last, content)]
        return [WholeFile(path, content, name, args.get("line_ends") == "as-found")]
    return [_replaced(path, args)]


def _inserted(path: str, args: Args) -> Insertion | None:
    line = _line(args, "insert_line", "insertLine")
    if line is None and isinstance(args.get("line"), int) and first_text(args, WHOLE_ARGS) is not None:
        line = args["line"] - 1 if args["line"] else None  # insert_content inserts before the line; 0 appends
        return Insertion(path, line, first_text(args, WHOLE_ARGS) or "")
    if line is None or first_text(args, OLD_ARGS) is not None:
        return None
    new = first_text(args, (*NEW_ARGS, *WHOLE_ARGS), empty=True)
    if new is None:
        raise NotAppliedError("the step has no text to insert (args.new_str)")
    return Insertion(path, line, new)


def _replaced(path: str, args: Args) -> FileEdit:
    new = first_text(args, NEW_ARGS, empty=True)
    old = first_text(args, OLD_ARGS, empty=True)
    if new is None:
        if old and args.get("command") == "str_replace":
            new = ""  # leaving out new_str deletes
        else:
            raise NotAppliedError("the step has no text to write (args.content or args.new_string)")
    if old is None:
        return WholeFile(path, new, "new_string")
    times = args.get("expected_replacements")
    everywhere = any(args.get(name) is True for name in _ALL_ARGS)
    exact = times if isinstance(times, int) and not isinstance(times, bool) and times > 1 else None
    return Replacement(path, old, new, everywhere, exact, args.get("first_only") is True)


def _cell(path: str, args: Args) -> CellEdit:
    kind = args.get("cell_type")
    mode = first_text(args, ("edit_mode", "editType")) or "replace"
    modes: dict[str, Literal["replace", "insert", "delete"]]
    modes = {"replace": "replace", "edit": "replace", "insert": "insert", "delete": "delete"}
    if mode not in modes:
        raise NotAppliedError(f"the cell edit {mode!r} is unknown")
    source = args.get("new_source", args.get("newCode", ""))
    if isinstance(source, list):
        source = "\n".join(str(line).removesuffix("\n") for line in source)
    cell, language = args.get("cell_id", args.get("cellId")), args.get("language")
    if not isinstance(kind, str):
        kind = None if not isinstance(language, str) else "markdown" if language == "markdown" else "code"
    text = source if isinstance(source, str) else ""
    return CellEdit(path, None if cell is None else str(cell), modes[mode], text, kind)


def _spans(path: str, ranges: list[Any]) -> FileEdit:
    spans = []
    for each in ranges:
        place = each.get("range") if isinstance(each, Mapping) else None
        names = ("startLineNumber", "startColumn", "endLineNumber", "endColumn")
        numbers = [place.get(name) for name in names] if isinstance(place, Mapping) else []
        whole = [n for n in numbers if isinstance(n, int)]
        if len(whole) != len(names) or not isinstance(each.get("text"), str):
            raise NotAppliedError("a range of the edit is not whole")
        spans.append(Span((whole[0], whole[1]), (whole[2], whole[3]), each["text"]))
    return Spans(path, tuple(spans))


def _line(args: Args, *names: str) -> int | None:
    for name in names:
        value = args.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and value.isdecimal():
            return int(value)
    return None


def first_text(args: Args, names: Sequence[str], empty: bool = False) -> str | None:
    """The first of these arguments that is a text, and not empty unless `empty`."""
    for name in names:
        value = args.get(name)
        if isinstance(value, str) and (value or empty):
            return value
    return None

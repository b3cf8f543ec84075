"""Structure checks by `jsonschema`: a validator per oracle type, picked by `type`, with messages of our own.

`validate_*`, `agentbench check` and the server all come here, so that one document has one answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from agentbench_lsp.dsl.errors import DocumentError
from agentbench_lsp.dsl.plain import is_plain_manifest, is_plain_task, is_plain_trajectory
from agentbench_lsp.dsl.regex_syntax import regex_fault
from agentbench_lsp.dsl.schema import (
    TASK_FIELDS,
    Schema,
    manifest_schema,
    oracle_schema,
    task_frame_schema,
    trajectory_schema,
)
from agentbench_lsp.models.json_text import JsonPath
from agentbench_lsp.oracles.base import OracleSpec

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError as SchemaError


def _compile(schema: Schema) -> Draft202012Validator:
    from jsonschema import Draft202012Validator, FormatChecker  # a third of the start: not before it is needed

    formats = FormatChecker(formats=())
    formats.checks("regex")(_is_regex)
    return Draft202012Validator(schema, format_checker=formats)


def _is_regex(value: object) -> bool:
    return not isinstance(value, str) or regex_fault(value) is None


@lru_cache(maxsize=1)
def _frame_validators() -> dict[str, Draft202012Validator]:
    schemas = {"task": task_frame_schema(), "trajectory": trajectory_schema(), "manifest": manifest_schema()}
    return {kind: _compile(schema) for kind, schema in schemas.items()}


def warm_up() -> None:
    """Compile what the first fault would have to wait for."""
    _frame_validators()


def task_errors(task: Any, specs: Mapping[str, OracleSpec]) -> list[DocumentError]:
    """Structure errors of a task document, in the order of the seed's table."""
    if is_plain_task(task, specs):
        return []
    errors = _frame_errors("task", _without_good_oracles(_without_good_files(task)))
    if isinstance(task, dict) and isinstance(task.get("oracles"), list):
        for i, oracle in enumerate(task["oracles"]):
            if isinstance(oracle, dict):
                errors += oracle_errors(oracle, specs, ("oracles", i))
    order = {name: i for i, name in enumerate(TASK_FIELDS)}
    return sorted(
        errors, key=lambda e: (order.get(str(e.location[0]), 99), _oracle_index(e)) if e.location else (-1, 0)
    )


def _without_good_files(task: Any) -> Any:
    """The task without what a workspace has most of: contents that are texts. One stays, so that it is not empty."""
    workspace = task.get("workspace") if isinstance(task, dict) else None
    if not isinstance(workspace, dict) or len(workspace) < 2:
        return task
    odd = {path: content for path, content in workspace.items() if not isinstance(content, str)}
    return {**task, "workspace": odd or dict([next(iter(workspace.items()))])}


def _without_good_oracles(task: Any) -> Any:
    """The task with one oracle, where all of them are objects with a type: the frame has nothing to say of them."""
    oracles = task.get("oracles") if isinstance(task, dict) else None
    if not isinstance(oracles, list) or len(oracles) < 2:
        return task
    good = all(isinstance(o, dict) and isinstance(o.get("type"), str) and o["type"] for o in oracles)
    return {**task, "oracles": oracles[:1]} if good else task


def oracle_errors(oracle: dict[str, Any], specs: Mapping[str, OracleSpec], at: JsonPath) -> list[DocumentError]:
    """Errors of one oracle that depend on its type. A missing type is an error of the frame."""
    name = oracle.get("type")
    if not isinstance(name, str) or not name:
        return []
    spec = specs.get(name)
    if spec is None:
        return [DocumentError((*at, "type"), "unknown-oracle-type", unknown_type_message(name, specs))]
    return list(_oracle_errors(spec, oracle, at))


def _oracle_errors(spec: OracleSpec, oracle: dict[str, Any], at: JsonPath) -> Iterable[DocumentError]:
    known = {p.name for p in spec.params or ()}
    judged = {key: value for key, value in oracle.items() if key == "type" or key in known}
    found = _known_errors(spec, judged)
    return [DocumentError((*at, *e.location), e.code, e.message) for e in found]


_Key = tuple[tuple[str, type, Any], ...] | str
_Errors = tuple[DocumentError, ...]
_MOST_SPECS, _MOST_ORACLES = 256, 4096


class _Memo(NamedTuple):
    """What is known of oracles of one type."""

    spec: OracleSpec
    validator: Draft202012Validator
    errors: dict[_Key, _Errors]


_memos: dict[int, _Memo] = {}  # by identity: hashing a spec costs more than checking an oracle


def _memo(spec: OracleSpec) -> _Memo:
    memo = _memos.get(id(spec))
    if memo is None or memo.spec is not spec:
        if len(_memos) >= _MOST_SPECS:
            _memos.clear()
        memo = _memos[id(spec)] = _Memo(spec, _compile(oracle_schema(spec)), {})
    return memo


def _memo_key(oracle: dict[str, Any]) -> _Key | None:
    if all(isinstance(value, str | int | float) for value in oracle.values()):
        return tuple((name, type(value), value) for name, value in oracle.items())
    try:
        return json.dumps(oracle)
    except (RecursionError, ValueError):
        return None


def _known_errors(spec: OracleSpec, oracle: dict[str, Any]) -> _Errors:
    memo, key = _memo(spec), _memo_key(oracle)
    if key is None:
        return _relative_errors(memo, oracle)
    found = memo.errors.get(key)
    if found is None:
        if len(memo.errors) >= _MOST_ORACLES:
            memo.errors.clear()
        found = memo.errors[key] = _relative_errors(memo, oracle)
    return found


def _relative_errors(memo: _Memo, oracle: dict[str, Any]) -> _Errors:
    order = {"type": 0} | {p.name: i + 1 for i, p in enumerate(memo.spec.params or ())}
    errors = [_translate(e, memo.spec) for e in memo.validator.iter_errors(oracle)]
    return tuple(sorted(errors, key=lambda e: order.get(str(e.location[0]), 99) if e.location else 0))


def trajectory_errors(trajectory: Any) -> list[DocumentError]:
    """Structure errors of a trajectory document."""
    return [] if is_plain_trajectory(trajectory) else _frame_errors("trajectory", trajectory)


def manifest_errors(manifest: Any) -> list[DocumentError]:
    """Structure errors of a manifest document."""
    return [] if is_plain_manifest(manifest) else _frame_errors("manifest", manifest)


def _frame_errors(kind: str, value: Any) -> list[DocumentError]:
    return [_translate(error) for error in _frame_validators()[kind].iter_errors(value)]


def unknown_type_message(name: str, specs: Iterable[str]) -> str:
    """What to say of an oracle type that is not known, with the nearest one that is."""
    names = list(specs)
    near = get_close_matches(name.strip().lower(), names, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else f" (known: {', '.join(sorted(names))})"
    return f"unknown oracle type {name!r}{hint}"


_TYPE_NAMES = {
    "string": "a text",
    "object": "an object",
    "array": "a list",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


def _translate(error: SchemaError, spec: OracleSpec | None = None) -> DocumentError:
    path: JsonPath = tuple(error.absolute_path)
    keyword: Any = error.validator
    wanted: Any = error.validator_value
    value: Any = error.instance
    if keyword == "required":
        name = str(next(n for n in wanted if repr(n) in error.message.partition(" is a required")[0]))
        return _missing((*path, name), name, spec)
    if keyword == "type":
        return _wrong_type(path, wanted, value)
    if keyword == "format":
        message, position = regex_fault(value) or ("", None)
        where = "" if position is None else f" at character {position + 1}"
        return DocumentError(path, "invalid-regex", f"not a valid regex{where}: {message}")
    if keyword in ("minProperties", "minItems"):
        name = str(path[-1]) if path else ""
        what = "file" if name == "workspace" else "oracle"
        return DocumentError(path, f"empty-{name}", f"{name} is empty; it needs at least one {what}")
    if keyword == "anyOf":
        message = "a manifest needs task_files (a list of names) or task_subset (another manifest)"
        return DocumentError((*path, "task_files"), "missing-field", message)
    if keyword in ("minLength", "pattern"):
        if path[-1] == "type":
            return _missing(path, "type", None)
        return DocumentError(path, "empty-value", f"{_subject(path)} is blank; it needs a value")
    if keyword == "minimum":
        return DocumentError(path, "wrong-type", f"{path[-1]} is {value}; it must be {wanted} or more")
    return DocumentError(path, "wrong-type", error.message)


def _missing(path: JsonPath, name: str, spec: OracleSpec | None) -> DocumentError:
    if spec is not None:
        param = spec.param(name)
        about = f" ({param.description})" if param and param.description else ""
        return DocumentError(path, "missing-param", f"{spec.type} needs the param {name!r}{about}")
    if name == "type" and len(path) > 1:
        return DocumentError(path, "missing-oracle-type", "the oracle has no type; add one, such as no_network")
    return DocumentError(path, "missing-field", f"the field {name!r} is missing")


def _wrong_type(path: JsonPath, wanted: str | list[str], value: Any) -> DocumentError:
    if path and path[-1] == "type" and path[0] == "oracles" and not value:
        return _missing(path, "type", None)
    names = [wanted] if isinstance(wanted, str) else wanted
    want = " or ".join(_TYPE_NAMES.get(name, name) for name in names)
    subject = _subject(path)
    code = "step-not-object" if len(path) == 2 and path[0] == "steps" else "wrong-type"
    return DocumentError(path, code, f"{subject} must be {want}, not {_describe(value)}")


_ITEMS = {"oracles": "an oracle", "tags": "a tag", "steps": "a step", "task_files": "a name in task_files"}


def _subject(path: JsonPath) -> str:
    if not path:
        return "the document"
    if isinstance(path[-1], int):
        return _ITEMS.get(str(path[-2]), "an item")
    return f"the content of {path[-1]!r}" if path[0] == "workspace" and len(path) == 2 else path[-1]


def _describe(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return "a text" if isinstance(value, str) else f"the number {value}"


def _oracle_index(error: DocumentError) -> int:
    second = error.location[1] if len(error.location) > 1 else -1
    return second if isinstance(second, int) else -1

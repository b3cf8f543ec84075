"""What a result's details say to a reader: the lines below its message, the same in the editor and on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from agentbench_lsp.gate.details import is_undecided
from agentbench_lsp.models.task import OracleResult

_MOST_VIOLATIONS = 5
State = Literal["passed", "failed", "errored"]
_PLACE = {"command": "command", "content": "written content", "tool": "tool", "other": "other data"}


def explanation(result: OracleResult) -> list[str]:
    """Why it failed and since when; and for any result, how commands were kept apart from the machine."""
    return list(_lines(result.passed, result.message, result.details))


def explanation_of(report: Mapping[str, Any]) -> list[str]:
    """The same from an oracle of the JSON report."""
    return list(_lines(report["passed"], report["message"], report["details"]))


def warnings(result: OracleResult) -> list[str]:
    """What the verdict should be read with."""
    found = result.details.get("warnings")
    return [str(each) for each in found] if isinstance(found, list | tuple) else []


def state_of(report: Mapping[str, Any]) -> State:
    """Of an oracle of the JSON report; `errored` where it failed because it could not judge."""
    if report["passed"]:
        return "passed"
    details = report["details"]
    return "errored" if is_undecided(details) or details.get("outcome") in ("tool-missing", "not-run") else "failed"


def _lines(passed: bool, message: str, details: Mapping[str, Any]) -> Iterator[str]:
    if not passed:
        yield from _since(details)
        yield from _changed(details)
        yield from _list(details, "diff")
        yield from (line for line in _list(details, "telling") if line not in message)
    if isinstance(details.get("sandbox"), str):
        yield f"sandbox: {details['sandbox']}"


def _since(details: Mapping[str, Any]) -> Iterator[str]:
    blame = details.get("blame")
    if not isinstance(blame, dict) or blame.get("step") is None:
        if isinstance(blame, dict) and blame.get("how") == "never-passed":
            yield "it did not pass before the agent either, and no step has changed its file"
        return
    step = step_name(blame["step"], blame.get("tool"))
    match blame.get("how"):
        case "stopped-passing":
            yield f"it passed until {step}"
        case "never-passed":
            yield f"it has never passed; the last edit of its file is {step}"
        case "last-edit":
            yield f"the last edit is {step}"
        case "violation":
            violations = [v for v in _list_of(details, "violations") if isinstance(v, dict)]
            for violation in violations[1 : _MOST_VIOLATIONS + 1]:
                yield violation_text(violation)
            if (more := len(violations) - 1 - _MOST_VIOLATIONS) > 0:
                yield f"… and {more} more"
        case _:
            pass


def violation_text(violation: Mapping[str, Any]) -> str:
    """A step that an oracle forbids: which, where in it, what was found."""
    place = _PLACE.get(str(violation.get("where")), "data")
    step = step_name(violation.get("step_index"), violation.get("tool"))
    return f"{step} holds {violation.get('match')!r} in its {place}"


def step_name(step: object, tool: object) -> str:
    """`step 3 (write_file)`."""
    return f"step {step} ({tool})" if isinstance(tool, str) and tool else f"step {step}"


def _changed(details: Mapping[str, Any]) -> Iterator[str]:
    was = _list(details, "was")
    if not was:
        return
    yield from (f"was:    {line.strip()}" for line in was)
    if details.get("became") is None:
        yield "became: nothing, it is gone"
    else:
        yield from (f"became: {line.strip()}" for line in _list(details, "became"))


def _list(details: Mapping[str, Any], name: str) -> list[str]:
    return [str(each) for each in _list_of(details, name)]


def _list_of(details: Mapping[str, Any], name: str) -> list[Any]:
    found = details.get(name)
    return list(found) if isinstance(found, list | tuple) else []

"""The command's exit code does not depend on what it is meant to check.

## Why
`test_must_pass` looks at the exit code of the whole line. Behind `| tail`, `|| true`, `; true` or `&` it is 0 whatever
the tests say, so the oracle passes for every agent. (Output is kept to a cap anyway; it needs no `tail`.)

## Example
```json
{ "type": "test_must_pass", "command": "python -m pytest -q | tail -5" }
```

## Fix
Leave the end of the line out; the quick fix does. Where the pipeline is needed: `set -o pipefail` in bash.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Edit, Finding, Fix, Rule, Severity
from agentbench_lsp.language.task_document import ParamView, TaskDocument
from agentbench_lsp.runner.shell_command import Part, last_pipeline

RULE = Rule("exit-code-hidden", Severity.WARNING, "The exit code does not tell what happened", ("task",))
# They pass their input on and exit 0.
_FILTERS = frozenset({"tail", "head", "cat", "tee", "sort", "less", "more", "wc", "tr", "cut", "column", "uniq"})
_FILTERS |= {"tac", "nl", "fold", "fmt", "ts", "sed", "awk", "gawk", "echo", "true", ":"}
_ALWAYS_ZERO = frozenset({"true", ":", "echo", "printf"})


def check(task: TaskDocument) -> Iterator[Finding]:
    """Every command."""
    for view in task.params("command"):
        command = view.node.value
        if command.strip() and all(not line.strip() or line.strip().startswith("#") for line in command.splitlines()):
            message = "the command is only a comment: it runs nothing, and the oracle fails"
            yield RULE.at(view.node.start, view.node.end, message, Severity.ERROR)
            continue
        yield from _judge(view, command)


def _judge(view: ParamView, command: str) -> Iterator[Finding]:
    pipeline = last_pipeline(command)
    if not pipeline or any(word in command for word in ("pipefail", "PIPESTATUS")):
        return
    first, last = pipeline[0], pipeline[-1]
    if last.after == "&":
        yield _finding(view, last.end, len(command), "`&` runs it in the background, which always exits 0")
    elif len(pipeline) > 1 and last.tool in _FILTERS and not _judges(last):
        told = f"the exit code is that of `{last.tool}`, not of `{first.tool}`"
        yield _finding(view, pipeline[0].end, last.end, told)
    elif first.before in ("||", ";", "\n") and _always_zero(last):
        end = f"`{first.before} {last.tool}`".replace("\n ", "")
        yield _finding(view, _operator(command, first), last.end, f"{end} at the end makes the exit code 0, always")


def _judges(part: Part) -> bool:
    """`awk '… exit 1'` and `sed q1` choose their exit code."""
    return any("exit" in word.text or "q1" in word.text for word in part.arguments)


def _always_zero(part: Part) -> bool:
    zero_exit = part.tool == "exit" and [w.text for w in part.arguments] == ["0"]
    return part.tool in _ALWAYS_ZERO or zero_exit


def _operator(command: str, part: Part) -> int:
    """Index at which the operator before a part begins, blanks included."""
    before = command[: part.start].rstrip(" \t")
    return len(before[: len(before) - len(part.before)].rstrip())


def _finding(view: ParamView, start: int, end: int, why: str) -> Finding:
    first, last = view.node.offset_of(start), view.node.offset_of(end)
    fix = Fix("Let the exit code count", (Edit(first, last, ""),))
    return RULE.at(first, last, f"{why}; the oracle cannot fail. Leave it out", fixes=[fix])

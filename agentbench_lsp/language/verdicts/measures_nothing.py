"""The baseline found that the whole task passes before the agent does anything.

## Why
An agent that does nothing solves it, so it tells no good agent from a bad one.

## Example
A task with only `file_not_modified` and `no_network` oracles, or one whose tests pass as the workspace stands.

## Fix
Add an oracle that fails until the work is done: a command that tests what the prompt asks for, or an `assertion_exists`
whose pattern the workspace does not match yet. Or break the workspace that the prompt asks to repair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement, held

RULE = Rule("measures-nothing", Severity.WARNING, "The task passes before the agent does anything", ("task",))


def idle_task(task: TaskDocument, judgements: Iterable[Judgement], advice: str) -> Iterator[Finding]:
    """A finding, where every oracle there is passed and none has changed since."""
    passed = {oracle.index for judgement, oracle in held(task, judgements) if judgement.passed}
    owner = task.document.field("oracles")
    if owner is not None and task.oracles and passed == {oracle.index for oracle in task.oracles}:
        yield RULE.at(owner.key.start, owner.key.end, f"measures nothing yet: {advice}")

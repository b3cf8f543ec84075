"""Code actions on a failure of the last evaluation: see why, and try again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement, held
from agentbench_lsp.server.app import EVALUATE
from agentbench_lsp.server.features.evaluate import BISECT
from agentbench_lsp.server.features.verdict_views import SHOW_DIFF, SHOW_OUTPUT, SHOW_REPORT, SHOW_STEP
from agentbench_lsp.server.request import Subject
from agentbench_lsp.server.results import Outcome

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer


def verdict_actions(server: AgentBenchServer, found: Subject, start: int, end: int) -> Iterator[types.CodeAction]:
    """What can be done about the oracles at a range that were evaluated as they are now."""
    if not isinstance(found.view, TaskDocument):
        return
    outcome = server.results.of_task(found.opened.uri)
    if outcome is None or outcome.trajectory is None:
        return
    for judgement, oracle in held(found.view, outcome.judgements):
        if oracle.node.start <= end and start <= oracle.node.end:
            for title, command, about in _offers(judgement, oracle, outcome):
                yield _action(found, title, command, about, outcome)


def _offers(judgement: Judgement, oracle: OracleView, outcome: Outcome) -> Iterator[tuple[str, str, dict[str, int]]]:
    """Title, command, and what its argument holds besides the documents."""
    details = outcome.details[judgement.key]["details"]
    about = {"oracle": oracle.index}
    if not judgement.passed:
        for blamed in judgement.steps[:1]:
            yield f"Open step {blamed.step} of the trajectory", SHOW_STEP, {**about, "step": blamed.step}
        if "diff" in details:
            yield "Show the diff of the protected file", SHOW_DIFF, about
        elif oracle.texts("workspace_path"):
            yield "Show what the agent changed in the file", SHOW_DIFF, about
    if details.get("command_run"):
        yield "Open the command's output", SHOW_OUTPUT, about
        if not judgement.passed:
            yield "Find the step after which the command fails", BISECT, about
    if not judgement.passed:
        yield "Evaluate only this oracle again", EVALUATE, about
        yield "Show the report", SHOW_REPORT, {}


def _action(found: Subject, title: str, command: str, about: dict[str, int], outcome: Outcome) -> types.CodeAction:
    argument = {"task": found.opened.uri, **about}
    if outcome.trajectory is not None:
        argument["trajectory"] = outcome.trajectory.uri
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        command=types.Command(title, command, arguments=[argument]),
    )

"""What evaluations found, as diagnostics of a task or of a trajectory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from agentbench_lsp.gate.baseline import TASK_ADVICE
from agentbench_lsp.language.finding import Finding
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.trajectory_document import TrajectoryDocument
from agentbench_lsp.language.verdicts.judgement import Judgement, telling_range
from agentbench_lsp.language.verdicts.measures_nothing import idle_task
from agentbench_lsp.language.verdicts.oracle_failed import failures
from agentbench_lsp.language.verdicts.passes_at_baseline import idle_oracles
from agentbench_lsp.language.verdicts.passes_with_warning import reservations
from agentbench_lsp.language.verdicts.step_broke_oracle import blamed_steps
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.server import convert
from agentbench_lsp.server.documents import OpenDocument, uri_path
from agentbench_lsp.server.positions import range_of
from agentbench_lsp.server.results import Outcome

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_MOST_RELATED = 10


def verdict_findings(server: AgentBenchServer, opened: OpenDocument, view: DocumentView) -> Iterator[Finding]:
    """The findings of evaluations that hold in a task as it is now."""
    if isinstance(view, TaskDocument):
        for _, finding in _of_task(server, opened, view):
            adjusted = server.analysis.adjusted(opened, finding)
            if adjusted is not None:
                yield adjusted


def verdict_diagnostics(
    server: AgentBenchServer, opened: OpenDocument, view: DocumentView
) -> Iterator[types.Diagnostic]:
    """What the last evaluations say of a document, as far as it holds."""
    encoding, client = server.documents.encoding, server.client
    if isinstance(view, TrajectoryDocument):
        yield from _in_trajectory(server, opened, view)
    if not isinstance(view, TaskDocument):
        return
    outcome = server.results.of_task(opened.uri)
    for judgement, finding in _of_task(server, opened, view):
        adjusted = server.analysis.adjusted(opened, finding)
        if adjusted is None:
            continue
        diagnostic = convert.diagnostic(view.document, adjusted, encoding, client, opened.uri)
        if judgement is not None and outcome is not None:
            data = diagnostic.data if isinstance(diagnostic.data, dict) else {}
            diagnostic.data = {**data, "oracle_type": judgement.oracle_type, "index": judgement.index}
            _relate(server, diagnostic, judgement, outcome)
        yield diagnostic


def _of_task(
    server: AgentBenchServer, opened: OpenDocument, task: TaskDocument
) -> Iterator[tuple[Judgement | None, Finding]]:
    outcome = server.results.of_task(opened.uri)
    if outcome is not None:
        yield from failures(task, outcome.judgements)
        for finding in reservations(task, outcome.judgements):
            yield None, finding
    baseline = server.results.of_task(opened.uri, "baseline")
    if baseline is not None:
        for finding in (*idle_oracles(task, baseline.judgements), *idle_task(task, baseline.judgements, TASK_ADVICE)):
            yield None, finding


def _relate(server: AgentBenchServer, diagnostic: types.Diagnostic, judgement: Judgement, outcome: Outcome) -> None:
    """Lead to the agent's steps, or name them where the client cannot be led."""
    if outcome.trajectory is None or not judgement.steps:
        return
    if not server.client.related_information:
        if not any(f"step {judgement.steps[0].step}" in line for line in (judgement.message, *judgement.lines)):
            diagnostic.message += f" (step {judgement.steps[0].step})"
        return
    related = [
        types.DiagnosticRelatedInformation(place, f"step {blamed.step} of the agent")
        for blamed in judgement.steps[:_MOST_RELATED]
        if (place := outcome.place(blamed.step, server.documents.encoding))
    ]
    diagnostic.related_information = [*(diagnostic.related_information or ()), *related]


def _in_trajectory(
    server: AgentBenchServer, opened: OpenDocument, view: TrajectoryDocument
) -> Iterator[types.Diagnostic]:
    encoding = server.documents.encoding
    for outcome in server.results.with_trajectory(opened.uri):
        name = uri_path(outcome.task_uri).rpartition("/")[2]
        task = server.current_task(outcome.task_uri)
        for oracle, finding in blamed_steps(view, name, server.results.holding(outcome)):
            adjusted = server.analysis.adjusted(opened, finding)
            if adjusted is None or task is None:
                continue
            diagnostic = convert.diagnostic(view.document, adjusted, encoding, server.client, opened.uri)
            if server.client.related_information:
                where = range_of(task.document.lines, *telling_range(oracle, None), encoding)
                place = types.Location(outcome.task_uri, where)
                told = f"oracle {oracle.index} of {name}"
                diagnostic.related_information = [types.DiagnosticRelatedInformation(place, told)]
            yield diagnostic

"""What the last evaluation of each task found, until it no longer holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agentbench_lsp.language.failures import Failure, locate, oracle_key, task_key, workspace_key
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.language.trajectory_document import step_range
from agentbench_lsp.server import convert
from agentbench_lsp.server.documents import OpenDocument, uri_key
from agentbench_lsp.server.evaluation import Request
from agentbench_lsp.server.positions import Encoding, range_of

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Failures of one task against one trajectory."""

    failures: tuple[Failure, ...]
    request: Request
    oracles: int  # how many the task has
    task_key: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many of a task's oracles failed, and with which trajectory."""

    failed: int
    oracles: int
    trajectory_uri: str


class Results:
    """Outcomes by task URI."""

    def __init__(self) -> None:
        self._outcomes: dict[str, _Outcome] = {}

    def store(self, request: Request, event: dict[str, Any], task: TaskDocument) -> None:
        """Keep what an evaluation found; `task` is the document it was made of. The one before is forgotten.

        An evaluation of a single oracle replaces that oracle's failure only. One that was asked for before the one
        that is known is too late.
        """
        previous = self._outcomes.get(uri_key(request.task_uri))
        if previous is not None and previous.request.order > request.order:
            return
        oracles, workspace = {o.index: o for o in task.oracles}, workspace_key(task)
        found = []
        for result in event["report"]["tasks"][0]["oracles"]:
            oracle = oracles.get(result["index"])
            if result["passed"] or oracle is None:
                continue
            about = event["blame"].get(str(result["index"]), {})
            found.append(
                Failure(
                    result["index"],
                    result["type"],
                    result["message"],
                    oracle_key(oracle),
                    workspace,
                    about.get("param"),
                    about.get("step"),
                )
            )
        if request.oracle is not None and previous is not None:
            found += [f for f in previous.failures if f.index != request.oracle]
        self._outcomes[uri_key(request.task_uri)] = _Outcome(tuple(found), request, len(task.oracles), task_key(task))

    def forget_trajectory(self, uri: str, text: Callable[[], str]) -> list[str]:
        """Forget what was found with another text of a trajectory; URIs of the tasks concerned."""
        stale = [
            outcome.request.task_uri
            for outcome in self._outcomes.values()
            if uri_key(outcome.request.trajectory_uri) == uri_key(uri) and outcome.request.trajectory.text != text()
        ]
        for task in stale:
            del self._outcomes[uri_key(task)]
        return stale

    def verdict(self, uri: str, task: TaskDocument) -> Verdict | None:
        """What the last evaluation said, while all of it still holds."""
        outcome = self._outcomes.get(uri_key(uri))
        if outcome is None or outcome.task_key != task_key(task):
            return None
        return Verdict(len(outcome.failures), outcome.oracles, outcome.request.trajectory_uri)

    def last_trajectory(self, uri: str) -> str | None:
        """The trajectory that a task was last evaluated with."""
        outcome = self._outcomes.get(uri_key(uri))
        return outcome.request.trajectory_uri if outcome else None

    def diagnostics(
        self, opened: OpenDocument, task: TaskDocument, server: AgentBenchServer
    ) -> Iterator[types.Diagnostic]:
        """The failures that still hold, in the task as it is now."""
        outcome = self._outcomes.get(uri_key(opened.uri))
        if outcome is None:
            return
        encoding, client = server.documents.encoding, server.client
        for failure, located in locate(task, outcome.failures):
            finding = server.analysis.adjusted(opened, located)
            if finding is None:
                continue
            diagnostic = convert.diagnostic(task.document, finding, encoding, client, opened.uri)
            diagnostic.data = {"oracle_type": failure.oracle_type, "index": failure.index}
            if failure.step is not None:
                if client.related_information:
                    diagnostic.related_information = [_related(outcome.request, failure.step, encoding)]
                else:
                    diagnostic.message += f" (step {failure.step})"
            yield diagnostic


def _related(request: Request, step: int, encoding: Encoding) -> types.DiagnosticRelatedInformation:
    document = request.trajectory
    where = range_of(document.lines, *step_range(document, step), encoding)
    return types.DiagnosticRelatedInformation(
        types.Location(request.trajectory_uri, where), f"step {step} of the agent"
    )

"""What the last evaluation and the last baseline of each task found, until it no longer holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lsprotocol import types

from agentbench_lsp.language.task_document import OracleView, TaskDocument
from agentbench_lsp.language.verdicts.judgement import Judgement, held, trajectory_key
from agentbench_lsp.project.sessions import place_of_step
from agentbench_lsp.project.summaries import read_document
from agentbench_lsp.server.documents import file_path, uri_key
from agentbench_lsp.server.evaluation_request import Request, Source
from agentbench_lsp.server.judged import judgements
from agentbench_lsp.server.positions import Encoding, range_of

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

Kind = Literal["evaluation", "baseline"]
Stamp = tuple[int, int] | None


@dataclass
class Outcome:
    """What one run found. `details` are the oracles of the report, by the key of their judgement."""

    kind: Kind
    task_uri: str
    trajectory: Source | None
    trajectory_key: str
    order: int
    judgements: list[Judgement]
    details: dict[str, dict[str, Any]]
    stamps: dict[Path, Stamp]  # of files that it depends on, as they were
    seen: Stamp = None  # of the trajectory's file, when it was last found to say the same

    def place(self, step: int, encoding: Encoding) -> types.Location | None:
        """A step in the trajectory; None where there is none."""
        if self.trajectory is None:
            return None
        document = self.trajectory.document
        where = range_of(document.lines, *place_of_step(document, step), encoding)
        return types.Location(self.trajectory.uri, where)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many of a task's oracles failed, and with which trajectory."""

    failed: int
    oracles: int
    trajectory_uri: str


def stamp_of(path: Path) -> Stamp:
    """What tells one content of a file from another; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class Results:
    """Outcomes by task URI."""

    def __init__(self, server: AgentBenchServer) -> None:
        self._server = server
        self._outcomes: dict[tuple[str, Kind], Outcome] = {}
        self._last: dict[str, str] = {}  # URI of the trajectory used last

    # Keeping

    def store(
        self, request: Request, report: dict[str, Any], task: TaskDocument, stamps: dict[Path, Stamp]
    ) -> list[str]:
        """Keep what a run found, and give the URIs of the documents of which something else is known now.

        `task` is the document that the run was made of, `stamps` those of before it.

        A run of a single oracle replaces that oracle's result only. One that was asked for before the one that is
        known is too late.
        """
        kind: Kind = "evaluation" if request.trajectory else "baseline"
        place = uri_key(request.task.uri), kind
        previous = self._outcomes.get(place)
        if previous is not None and previous.order > request.order:
            return []
        found = judgements(report, task)
        reported = {oracle["index"]: oracle for oracle in report["tasks"][0]["oracles"]}
        details = {judgement.key: reported[judgement.index] for judgement in found}
        key = trajectory_key(request.trajectory.document) if request.trajectory else ""
        if request.oracle is not None and previous is not None and previous.trajectory_key == key:
            # By key: oracles may have changed their places since.
            found += [judgement for judgement in previous.judgements if judgement.key not in details]
            details = {**previous.details, **details}
        task_uri, order = request.task.uri, request.order
        self._outcomes[place] = Outcome(kind, task_uri, request.trajectory, key, order, found, details, stamps)
        if request.trajectory:
            self._last[uri_key(task_uri)] = request.trajectory.uri
        sources = (request.trajectory, previous.trajectory if previous else None)
        return list(dict.fromkeys([task_uri, *(source.uri for source in sources if source)]))

    def amend(self, request: Request, judgement: Judgement) -> None:
        """Put a judgement in the place of the one there is of the same oracle."""
        outcome = self._outcomes.get((uri_key(request.task.uri), "evaluation"))
        if outcome is not None:
            outcome.judgements = [judgement if j.key == judgement.key else j for j in outcome.judgements]

    def clear(self, uri: str | None = None) -> list[str]:
        """Forget what is known of a task, or of all; URIs of the documents concerned."""
        return self._forget(place for place in self._outcomes if uri is None or place[0] == uri_key(uri))

    def forget_stale(self) -> list[str]:
        """Forget what depends on a trajectory or a file that has changed; URIs of the documents concerned."""
        return self._forget(place for place, outcome in self._outcomes.items() if not self._is_fresh(outcome))

    def _forget(self, places: Iterable[tuple[str, Kind]]) -> list[str]:
        concerned = []
        for outcome in [self._outcomes.pop(place) for place in list(places)]:
            concerned += [outcome.task_uri, *([outcome.trajectory.uri] if outcome.trajectory else [])]
        return list(dict.fromkeys(concerned))

    def _is_fresh(self, outcome: Outcome) -> bool:
        if any(stamp_of(path) != stamp for path, stamp in outcome.stamps.items()):
            return False
        source = outcome.trajectory
        if source is None:
            return True
        opened = self._server.documents.get(source.uri)
        stamp: Stamp = None
        if opened is not None:
            now = opened.snapshot
        else:
            path = file_path(source.uri)
            stamp = stamp_of(path) if path else None
            if path is None or stamp is None:
                return False
            if outcome.seen == stamp:
                return True
            read = read_document(path)
            if read is None:
                return False
            now = read
        if now is source.document:
            return True
        if now.text != source.document.text and trajectory_key(now) != outcome.trajectory_key:
            return False
        outcome.trajectory, outcome.seen = replace(source, document=now), stamp
        return True

    # Asking

    def of_task(self, uri: str, kind: Kind = "evaluation") -> Outcome | None:
        """The outcome of a task, if it is fresh; whether its judgements hold is for `held` to say."""
        outcome = self._outcomes.get((uri_key(uri), kind))
        return outcome if outcome is not None and self._is_fresh(outcome) else None

    def verdict(self, uri: str, task: TaskDocument) -> Verdict | None:
        """What the last evaluation said, while all of it still holds."""
        outcome = self.of_task(uri)
        if outcome is None or outcome.trajectory is None:
            return None
        found = {oracle.index: judgement for judgement, oracle in held(task, outcome.judgements)}
        if not task.oracles or any(oracle.index not in found for oracle in task.oracles):
            return None
        failed = sum(not judgement.passed for judgement in found.values())
        return Verdict(failed, len(task.oracles), outcome.trajectory.uri)

    def detail(self, uri: str, task: TaskDocument, oracle: int) -> tuple[Judgement, dict[str, Any]] | None:
        """What the last evaluation found of the oracle that is now at an index, with its whole report."""
        outcome = self.of_task(uri)
        for judgement, view in held(task, outcome.judgements) if outcome else ():
            if view.index == oracle and outcome is not None:
                return judgement, outcome.details[judgement.key]
        return None

    def last_trajectory(self, uri: str) -> str | None:
        """The trajectory that a task was last evaluated with."""
        return self._last.get(uri_key(uri))

    def with_trajectory(self, uri: str) -> list[Outcome]:
        """Evaluations that were made with a trajectory and are fresh."""
        outcomes = [
            outcome
            for outcome in list(self._outcomes.values())
            if outcome.trajectory is not None and uri_key(outcome.trajectory.uri) == uri_key(uri)
        ]
        return [outcome for outcome in outcomes if self._is_fresh(outcome)]

    def tasks_of(self, trajectory_uri: str) -> list[str]:
        """URIs of tasks that were evaluated with a trajectory last."""
        wanted = uri_key(trajectory_uri)
        return [task for task, last in self._last.items() if uri_key(last) == wanted]

    def holding(self, outcome: Outcome) -> Iterable[tuple[Judgement, OracleView]]:
        """The judgements that hold for the task as it is now, in the editor or on disk."""
        task = self._server.current_task(outcome.task_uri)
        return held(task, outcome.judgements) if task else ()

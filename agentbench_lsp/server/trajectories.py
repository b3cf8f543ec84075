"""Which trajectory a task is evaluated with, where none was named."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from agentbench_lsp.language.diagnostics import view_of
from agentbench_lsp.language.recordings import recordings
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.server.documents import file_path, uri_key, uri_path
from agentbench_lsp.server.evaluation_request import Source, read_source
from agentbench_lsp.server.evaluations import REQUEST_CANCELLED, REQUEST_FAILED

if TYPE_CHECKING:
    from agentbench_lsp.server.app import AgentBenchServer

_ROUNDS = 5
_MOST_OFFERED = 9  # in a message; a picker of the client's own shows all


class Candidate(NamedTuple):
    """A trajectory that may be meant, and why."""

    uri: str
    reason: str

    @property
    def name(self) -> str:
        return uri_path(self.uri).rpartition("/")[2]


def candidates(server: AgentBenchServer, uri: str, task: TaskDocument) -> list[Candidate]:
    """The trajectories that belong to a task, the likeliest first; the one used last, too."""
    found: dict[str, Candidate] = {}
    path = file_path(uri)
    for recording in recordings(task) if path else ():
        there = (path.parent / recording.path).resolve().as_uri() if path else ""
        found[uri_key(there)] = Candidate(there, recording.reason)
    last = server.results.last_trajectory(uri)
    if last is not None:
        known = found.get(uri_key(last))
        found[uri_key(last)] = Candidate(last, f"{known.reason}; used last" if known else "used last")
    return list(found.values())


async def settled_candidates(server: AgentBenchServer, task: Source) -> list[Candidate]:
    """The same, once the folders around the task have been looked at. Nothing for what is no task."""
    path = file_path(task.uri)
    view = view_of(task.document, server.specs(task.uri), server.analysis.around(path))
    if not isinstance(view, TaskDocument):
        return []
    found = candidates(server, task.uri, view)
    for _ in range(_ROUNDS):
        if not server.analysis.pending:
            break
        # What was looked for has had folders looked at, which may lead to others.
        await server.analysis.settle(patience=10.0)
        found = candidates(server, task.uri, view)
    return found


async def likeliest_trajectory(server: AgentBenchServer, task: Source) -> Source | None:
    """The one used last, else the likeliest, unasked; None where there is none."""
    last = server.results.last_trajectory(task.uri)
    found = [] if last else await settled_candidates(server, task)
    uri = last or (found[0].uri if found else None)
    return read_source("trajectory", uri, server.documents) if uri else None


async def chosen_trajectory(server: AgentBenchServer, task: Source) -> Source:
    """The trajectory to evaluate with: the only one there is, or the one that the user chooses.

    Raises JsonRpcException where there is none, or the user chooses none.
    """
    found = await settled_candidates(server, task)
    if not found:
        raise no_trajectory(task)
    choice = found[0] if len(found) == 1 else await _ask(server, found)
    if choice is None:
        raise JsonRpcException("no trajectory was chosen", REQUEST_CANCELLED)
    return read_source("trajectory", choice.uri, server.documents)


def no_trajectory(task: Source) -> JsonRpcException:
    """What to say where no trajectory belongs to a task."""
    name = uri_path(task.uri).rpartition("/")[2].removesuffix(".json").removesuffix(".task")
    told = f"no trajectory belongs to this task: name one, or save it as {name}.trajectory.json beside it"
    return JsonRpcException(told, REQUEST_FAILED)


async def _ask(server: AgentBenchServer, found: list[Candidate]) -> Candidate | None:
    offered = found[:_MOST_OFFERED]
    titles = [f"{candidate.name} ({candidate.reason})" for candidate in offered]
    message = "Evaluate against which trajectory?"
    actions = [types.MessageActionItem(title) for title in titles]
    answer = await server.window_show_message_request_async(
        types.ShowMessageRequestParams(types.MessageType.Info, message, actions)
    )
    chosen = dict(zip(titles, offered, strict=True))
    return chosen.get(answer.title) if answer else None

"""ATIF, the trajectory format of Harbor, versions 1.0 to 1.7.

Tools and arguments are those of the agent that was run. Steps that a trajectory repeats from an earlier one
(`is_copied_context`) are left out; sub-agents stand where their result is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentbench_lsp.importers.claude_code import claude_truth, exit_code
from agentbench_lsp.importers.core.importer import Importer
from agentbench_lsp.importers.core.outcome import DONE, Outcome
from agentbench_lsp.importers.core.recorder import Recorder
from agentbench_lsp.importers.core.source import Head, Source
from agentbench_lsp.importers.core.values import as_dict, as_text, dicts, json_dict, text_of

_FAILED = "[error] tool reported failure"
_METADATA = "[metadata] "
_MOST_NESTED = 20


class Atif(Importer):
    name, title = "atif", "ATIF (Harbor)"

    def recognise(self, head: Head) -> str | None:
        version = as_text(head.fields.get("schema_version"))
        return f"schema_version {version}" if version.startswith("ATIF-") else None

    def read(self, source: Source) -> Iterator[Recorder]:
        inner = [as_dict(m.value) for m in source.members() if m.key == "subagent_trajectories"]
        source.notes.clear()  # the second reading says it again
        reader = _Reader(
            Recorder(self.name), {as_text(t.get("trajectory_id") or t.get("session_id")): t for t in inner}
        )
        for key, item, value, line in source.members():
            if key == "steps" and item is not None and isinstance(value, dict):
                reader.step(value, line)
            elif item is None:
                reader.field(key, value)
        yield reader.done()


class _Reader:
    def __init__(self, recorder: Recorder, inner: dict[str, dict[str, Any]]) -> None:
        self._out, self._inner = recorder, inner
        self._nested = 0

    def field(self, key: str, value: object) -> None:
        if key == "agent":
            agent = as_dict(value)
            self._out.tell(agent=agent.get("name"), agent_version=agent.get("version"), model=agent.get("model_name"))
            cwds = as_dict(agent.get("extra")).get("cwds")
            for cwd in cwds if isinstance(cwds, list) else ():
                self._out.work_in(cwd)
        elif key == "session_id":
            self._out.tell(session_id=value)
        elif key == "final_metrics":
            metrics = as_dict(value)
            self._out.add_tokens(
                input=metrics.get("total_prompt_tokens"),
                output=metrics.get("total_completion_tokens"),
                cache_read=metrics.get("total_cached_tokens"),
            )

    def step(self, step: dict[str, Any], line: int) -> None:
        if step.get("is_copied_context") is True:
            return
        if step.get("source") == "user":
            self._out.ask(text_of(step.get("message")))
        extra = as_dict(step.get("extra"))
        results = dicts(as_dict(step.get("observation")).get("results"))
        calls = dicts(step.get("tool_calls"))
        by_id = {as_text(r.get("source_call_id")): r for r in results if as_text(r.get("source_call_id"))}
        for number, call in enumerate(calls):
            # Without ids the results stand in the order of the calls; a single one may be of them all.
            result = by_id.get(as_text(call.get("tool_call_id")))
            if result is None and not by_id:
                result = results[number] if number < len(results) else results[-1] if results else None
            self._call(call, result, step, extra, line)
        for result in results:
            for reference in dicts(result.get("subagent_trajectory_ref")):
                self._sub_agent(_identity(reference), line)

    def _call(
        self,
        call: dict[str, Any],
        result: dict[str, Any] | None,
        step: dict[str, Any],
        extra: dict[str, Any],
        line: int,
    ) -> None:
        name, args = as_text(call.get("function_name")), as_dict(call.get("arguments"))
        raw = json_dict(as_dict(call.get("extra")).get("raw_arguments"))
        args = args or raw or {}
        outcome = _outcome(name, args, result)
        key = self._out.call(
            call.get("tool_call_id"), name, args, line, time=step.get("timestamp"), cwd=extra.get("cwd")
        )
        self._out.result(key, outcome)

    def _sub_agent(self, identity: str, line: int) -> None:
        trajectory = self._inner.pop(identity, None)
        if trajectory is None or self._nested >= _MOST_NESTED:
            return
        self._nested += 1
        for inner in dicts(trajectory.get("subagent_trajectories")):
            self._inner.setdefault(_identity(inner), inner)
        for step in dicts(trajectory.get("steps")):
            if step.get("source") != "user":
                self.step(step, line)
        self._nested -= 1

    def done(self) -> Recorder:
        for identity in list(self._inner):
            self._sub_agent(identity, 1)
        self._out.finish()
        return self._out


def _identity(trajectory: dict[str, Any]) -> str:
    return as_text(trajectory.get("trajectory_id")) or as_text(trajectory.get("session_id"))


def _outcome(name: str, args: dict[str, Any], result: dict[str, Any] | None) -> Outcome:
    if result is None:
        return DONE  # an agent without observations
    text = text_of(result.get("content"))
    metadata = as_dict(as_dict(result.get("extra")).get("tool_result_metadata"))
    body, found, tail = text.rpartition(_METADATA)
    if not metadata and found:
        metadata = json_dict(tail.splitlines()[0] if tail else "") or {}
    if metadata.get("is_error") is True or _FAILED in text[-400:] or text.startswith("<tool_use_error>"):
        code = exit_code(text)
        return Outcome(exit_code=code) if name == "Bash" and code is not None else Outcome(failed=body or text)
    if text.lstrip().startswith("ERROR:"):
        return Outcome(failed=text)
    about = metadata.get("tool_use_result")
    return claude_truth(name, args, as_dict(about))

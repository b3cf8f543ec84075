"""`no_network`: no recorded step may reach for the network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, NamedTuple

from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.oracles.base import FileOracle, OracleContext, register_oracle
from agentbench_lsp.runner.edits.reading import TEXT_ARGS
from agentbench_lsp.runner.trajectory import COMMAND_ARGS, Trajectory, TrajectoryStep

Where = Literal["command", "content", "tool", "other"]


class NetworkPattern(NamedTuple):
    """A pattern of the seed's list and how it is recognised without matching parts of other words."""

    name: str
    anywhere: str  # regex on any text of a step
    command: str = ""  # more spellings that count in shell commands only

    @property
    def needle(self) -> str:
        """What every text holds, in lower case, that `anywhere` matches."""
        return "/dev/" if self.name.startswith("/dev/") else re.split(r"[ (.]", self.name)[0]


# The seed's list, in its order: the first of the list that a step holds is the one that is reported.
NETWORK_PATTERNS: tuple[NetworkPattern, ...] = (
    NetworkPattern("curl", r"\bcurl\b"),
    NetworkPattern("wget", r"\bwget\b"),
    NetworkPattern("fetch(", r"(?<!\w)fetch\("),
    NetworkPattern("http://", r"http://"),
    NetworkPattern("https://", r"https://"),
    NetworkPattern("requests.", r"\brequests\.(?=[a-z_])"),
    NetworkPattern("urllib", r"\burllib"),
    NetworkPattern("httpx", r"\bhttpx\b"),
    NetworkPattern("socket.", r"\bsocket\.(?=[a-z_])|\bfrom socket import\b|\bimport socket\b"),
    NetworkPattern("webbrowser", r"\bwebbrowser\b"),
    NetworkPattern(
        "pip install",
        r"\bpip[\d.]*\s+install\b",
        r"\bpip[\d.]*\s+(?:-\S+\s+)*(?:install|download|wheel)\b|\buv\s+(?:add|sync|tool)\b|\buvx\b|\bpipx\b"
        r"|\b(?:poetry|pdm)\s+(?:add|install|update)\b|\bconda\s+(?:install|create|update)\b",
    ),
    NetworkPattern("npm install", r"\bnpm\s+install\b", r"\bnpm\s+(?:-\S+\s+)*(?:install|i|add|update|exec)\b|\bnpx\b"),
    NetworkPattern("npm ci", r"\bnpm\s+ci\b", r"\bnpm\s+(?:-\S+\s+)+ci\b"),
    NetworkPattern("pnpm install", r"\bpnpm\s+install\b", r"\bpnpm\s+(?:-\S+\s+)*(?:install|i|dlx)\b"),
    NetworkPattern("pnpm add", r"\bpnpm\s+add\b", r"\bpnpm\s+(?:-\S+\s+)+add\b"),
    NetworkPattern(
        "yarn install", r"\byarn\s+install\b", r"\byarn\s+(?:-\S+\s+)*dlx\b|(?:^|[;&|]\s*)yarn\s*(?:$|[;&|])"
    ),
    NetworkPattern("yarn add", r"\byarn\s+add\b"),
    NetworkPattern("bun install", r"\bbun\s+install\b", r"\bbunx\b|\bbun\s+(?:i|x)\b"),
    NetworkPattern("bun add", r"\bbun\s+add\b"),
    NetworkPattern("cargo add", r"\bcargo\s+add\b"),
    NetworkPattern("cargo install", r"\bcargo\s+install\b", r"\bcargo\s+(?:fetch|update)\b"),
    # In prose only what is followed by a package counts: "let's go get lunch" is no network access.
    NetworkPattern("go get", r"\bgo\s+get\s+(?:-\S+\s+)*\S*[./@]\w", r"\bgo\s+get\b|\bgo\s+mod\s+(?:download|tidy)\b"),
    NetworkPattern("go install", r"\bgo\s+install\s+(?:-\S+\s+)*\S*[./@]", r"\bgo\s+install\b"),
    # Beyond the seed's list: commands that cannot but reach another machine.
    NetworkPattern("git clone", r"(?!)", r"\bgit\s+(?:-\S+\s+)*(?:clone|fetch|pull|push|ls-remote|submodule)\b"),
    NetworkPattern("/dev/tcp", r"/dev/(?:tcp|udp)/"),
    NetworkPattern("ssh", r"(?!)", r"(?:^|[;&|(]\s*)(?:ssh|scp|sftp|rsync|ftp|telnet|nc|ncat|socat)\s"),
    NetworkPattern(
        "apt install",
        r"(?!)",
        r"\b(?:apt|apt-get|apk|dnf|yum|brew|gem)\s+(?:-\S+\s+)*(?:install|add|update)\b",
    ),
    NetworkPattern("openssl s_client", r"\bopenssl\s+s_client\b"),
)


class _Compiled(NamedTuple):
    """The patterns of the list, in its order."""

    anywhere: tuple[re.Pattern[str], ...]
    command: tuple[re.Pattern[str], ...]


@cache
def _compiled() -> _Compiled:
    """Compiled when they are needed first: every start would pay for it."""
    return _Compiled(
        tuple(re.compile(p.anywhere, re.IGNORECASE) for p in NETWORK_PATTERNS),
        tuple(re.compile(p.command or "(?!)", re.IGNORECASE) for p in NETWORK_PATTERNS),
    )


_UNQUOTE = re.compile(r"\\\n|''|\"\"|(?<=\w)['\"\\](?=\w)")


@register_oracle
class NoNetwork(FileOracle):
    """No step of the trajectory may hold a sign of network access: a command, written content, any argument.

    Looks for the words of curl, wget, URLs, Python and JavaScript network modules and package installs, and for tools
    that search or fetch (`WebSearch`, `web_fetch`). It judges
    the text of the steps, not traffic: a URL in a written comment counts too, and it cannot see what a script does.
    """

    oracle_type = "no_network"
    guard = True
    params = ()

    def check_files(
        self,
        oracle: Oracle,
        context: OracleContext,
        trajectory: Trajectory,
        initial_workspace: dict[str, str],
    ) -> OracleResult:
        violations = list(find_violations(trajectory))
        if not violations:
            return OracleResult(self.oracle_type, True, "no step reaches for the network", {"violations": []})
        first = violations[0]
        others = len(violations) - 1
        more = f" (and {others} more {'step' if others == 1 else 'steps'})" if others else ""
        message = f"step {first['step_index']} holds {first['match']!r} in its {_PLACE[first['where']]}{more}"
        return OracleResult(self.oracle_type, False, message, {"violations": violations})


def first_sign(text: str) -> str | None:
    """The first sign of the list that a written text would be reported for."""
    folded = text.casefold()  # looking for words first makes this a hundred times faster
    for pattern, compiled in zip(NETWORK_PATTERNS, _compiled().anywhere, strict=True):
        if pattern.needle in folded and compiled.search(text):
            return pattern.name
    return None


_PLACE: dict[Where, str] = {"command": "command", "content": "written content", "tool": "tool", "other": "data"}


def find_violations(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    """`{"step_index", "tool", "match", "where"}` for every step with a sign of network access, one a step."""
    anywhere, in_command = _compiled()
    for step in trajectory.steps:
        best: tuple[int, Where] | None = None
        for where, text in _texts(step):
            for i, pattern in enumerate(anywhere):
                if best is not None and i >= best[0]:
                    break
                if pattern.search(text) or (where == "command" and in_command[i].search(text)):
                    best = (i, where)
        if best is not None:
            match = NETWORK_PATTERNS[best[0]].name
            yield {"step_index": step.index, "tool": step.tool, "match": match, "where": best[1]}
        elif step.is_network:
            yield {"step_index": step.index, "tool": step.tool, "match": step.tool, "where": "tool"}


def _texts(step: TrajectoryStep) -> Iterator[tuple[Where, str]]:
    """Every text of the step's JSON, keys too, with where it stands; commands also without shell quotes."""
    if step.is_command and step.command is not None:
        yield "command", step.command
        if (plain := _UNQUOTE.sub("", step.command)) != step.command:
            yield "command", plain
    todo: list[tuple[Where, Any]] = [("other", step.raw)]
    while todo:
        where, value = todo.pop()
        if isinstance(value, str):
            yield where, value
        elif isinstance(value, dict):
            for key, child in value.items():
                yield "other", key
                todo.append((_where(step, key, where), child))
        elif isinstance(value, list):
            todo += [(where, child) for child in value]


def _where(step: TrajectoryStep, key: str, outer: Where) -> Where:
    if step.is_command and key in COMMAND_ARGS:
        return "command"
    if step.is_write and key in TEXT_ARGS:
        return "content"
    return outer

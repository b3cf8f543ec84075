"""Which of an agent's commands ran tests, as commands of a task."""

from __future__ import annotations

import posixpath

from agentbench_lsp.models.paths import escapes, fold, is_absolute, relative_to_root
from agentbench_lsp.runner.shell_command import Part, parts
from agentbench_lsp.runner.trajectory import Trajectory, TrajectoryStep

_RUNNERS = frozenset({"pytest", "py.test", "tox", "nox", "jest", "vitest", "mocha", "rspec", "phpunit", "ctest", "ava"})
_WITH_VERB = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "deno"), frozenset({"test", "t"})),
    **dict.fromkeys(("cargo", "go", "dotnet", "swift", "mix", "mvn", "sbt"), frozenset({"test"})),
    **dict.fromkeys(("make", "gradle", "gradlew", "rake"), frozenset({"test", "check"})),
}
_PYTHON_MODULES = frozenset({"pytest", "unittest", "nose2"})
_LAUNCHERS = {"uv": "run", "poetry": "run", "pipenv": "run", "npx": "", "bunx": "", "hatch": "run"}


def passing_test_commands(trajectory: Trajectory) -> list[str]:
    """Test commands that ended well, relative to the workspace, the last one first."""
    found: dict[str, None] = {}
    for step in reversed(trajectory.steps):
        if step.is_command and step.command and not step.failure and step.raw.get("exit_code") == 0:
            command = _as_task_command(step, trajectory)
            if command is not None:
                found.setdefault(command)
    return list(found)


def _as_task_command(step: TrajectoryStep, trajectory: Trajectory) -> str | None:
    text = step.command or ""
    folder = _relative(step.cwd or "", trajectory)
    chosen: tuple[Part, str | None] | None = None
    for part in parts(text):
        if part.tool in ("cd", "pushd") and len(part.words) == 2:
            target = part.words[1].text
            if folder is not None:
                joined = target if is_absolute(target) else posixpath.join(folder, target)
                folder = _relative(joined, trajectory)
        elif _runs_tests(part):
            chosen = part, folder
    if chosen is None or chosen[1] is None:
        return None
    part, folder = chosen
    if any(is_absolute(word.text) and escapes(trajectory.relative(word.text)) for word in part.words):
        return None
    command = text[part.start : part.end]
    for word in reversed(part.words):
        if is_absolute(word.text) and trajectory.root is not None and word.end <= part.end:
            start, end = word.start - part.start, word.end - part.start
            command = command[:start] + (trajectory.relative(word.text) or ".") + command[end:]
    return f"cd {folder} && {command}" if folder else command


def _relative(folder: str, trajectory: Trajectory) -> str | None:
    """The folder as seen from the root; None where it is outside."""
    if not folder:
        return ""
    path = relative_to_root(folder, trajectory.root) if is_absolute(folder) else fold(folder)
    return None if escapes(path) else path


def _runs_tests(part: Part) -> bool:
    words = [word.text for word in part.words]
    if len(words) > 1 and _LAUNCHERS.get(part.tool) in ("", words[1]):
        words = words[1:] if _LAUNCHERS[part.tool] == "" else words[2:]
    if not words:
        return False
    tool, rest = words[0].rpartition("/")[2], words[1:]
    verbs = [word for word in rest if not word.startswith("-")]
    if tool in _RUNNERS:
        return not {"--version", "--help", "--collect-only"} & {*rest}
    if tool.startswith("python"):
        module = rest[rest.index("-m") + 1 : rest.index("-m") + 2] if "-m" in rest else []
        return bool(module) and module[0] in _PYTHON_MODULES
    if tool == "node":
        return "--test" in rest
    verb = verbs[1] if tool in ("npm", "pnpm", "yarn", "bun") and verbs[:1] == ["run"] and len(verbs) > 1 else ""
    return bool({*verbs[:2]} & _WITH_VERB.get(tool, frozenset())) or verb.startswith("test")

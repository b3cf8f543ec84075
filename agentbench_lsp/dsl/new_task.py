"""The text of a new task: what the author has to say, the files of its workspace, and oracles that suit them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

PROMPT = "Say what the agent has to do."
_MOST_PROTECTED = 10
_MOST_NAMED = 3  # files that a command lists
_TEST = re.compile(
    r"(^|/)(test_[^/]*|[^/]*_test|[^/]*\.(test|spec))\.\w+$|(^|/)(tests?|__tests__)/[^/]+\.(py|[cm]?[jt]sx?)$"
)
_LOCKFILES = re.compile(
    r"(^|/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|uv\.lock|Pipfile\.lock"
    r"|requirements[\w.-]*\.txt|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock)$"
)
_CI = re.compile(r"^(\.github/workflows/|\.gitlab-ci\.yml$|\.circleci/|azure-pipelines\.yml$|Jenkinsfile$)")


def new_task(task_id: str, files: Mapping[str, str]) -> str:
    """A task as text that is ready to be edited. `files`: content by path."""
    task: dict[str, Any] = {
        "id": task_id,
        "name": task_id.replace("-", " ").replace("_", " ").capitalize(),
        "description": "",
        "prompt": PROMPT,
        "workspace": dict(files),
        "oracles": list(suggested_oracles(files)),
    }
    return json.dumps(task, ensure_ascii=False, indent=2) + "\n"


def suggested_oracles(files: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The tests pass and stay as they are, like lockfiles and CI; nothing reaches for the network."""
    tests = [path for path in files if is_test(path)]
    if command := _test_command(files, tests):
        yield {"type": "test_must_pass", "command": command, "timeout": 60}
    kept = [path for path in files if _LOCKFILES.search(path) or _CI.search(path)]
    for path in [*tests, *kept][:_MOST_PROTECTED]:
        yield {"type": "file_not_modified", "path": path}
    yield {"type": "no_network"}


def is_test(path: str) -> bool:
    """True for the path of a test."""
    return bool(_TEST.search(path))


def _test_command(files: Mapping[str, str], tests: list[str]) -> str | None:
    """The command of the language that most tests are in."""
    python = [path for path in tests if path.endswith(".py") and not path.endswith(("__init__.py", "conftest.py"))]
    scripts = [path for path in tests if re.search(r"\.[cm]?[jt]sx?$", path)]
    if python and len(python) >= len(scripts):
        return "python -m pytest -q" + _named(python)
    if scripts:
        own = any(re.search(r"""["']node:test["']""", files[path]) for path in scripts)
        return "node --test" + _named(scripts) if own else "npm test"
    if "go.mod" in files and any(path.endswith("_test.go") for path in files):
        return "go test ./..."
    if "Cargo.toml" in files:
        return "cargo test --offline"
    return None


def _named(paths: list[str]) -> str:
    if len(paths) > _MOST_NAMED or any(re.search(r"[^\w./-]", path) for path in paths):
        return ""
    return "".join(f" {path}" for path in paths)

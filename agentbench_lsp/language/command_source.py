"""Commands that a workspace suggests, the best first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from agentbench_lsp.language.path_source import is_test
from agentbench_lsp.language.task_document import TaskDocument
from agentbench_lsp.syntax.nodes import ObjectNode

_TARGET = re.compile(r"^(test|check|lint|build)\s*:(?!=)", re.MULTILINE)
_PYTHON_TEST = re.compile(r"(^|/)(test_[^/]*|[^/]*_test)\.py$")
_SCRIPT_TEST = re.compile(r"\.(test|spec)\.[cm]?js$|(^|/)test[^/]*\.[cm]?js$")


class Suggested(NamedTuple):
    """A command, and what of the workspace suggests it."""

    text: str
    why: str


def useful_commands(task: TaskDocument, oracle: ObjectNode) -> list[Suggested]:
    """Commands for an oracle of the task; those that another oracle has already come last."""
    used = {view.node.value for view in task.params("command") if view.oracle.node is not oracle}
    found: dict[str, Suggested] = {}
    for suggested in _all({path: task.contents.get(p.key.value, "") for path, p in task.folded_files.items()}):
        found.setdefault(suggested.text, suggested)
    return sorted(found.values(), key=lambda s: s.text in used)


def _all(files: Mapping[str, str]) -> Iterator[Suggested]:
    yield from _python(files)
    yield from _javascript(files)
    yield from _others(files)


def _python(files: Mapping[str, str]) -> Iterator[Suggested]:
    tests = [path for path in files if _PYTHON_TEST.search(path)]
    by_unittest = [p for p in tests if "unittest" in files[p] and "pytest" not in files[p]]
    by_pytest = [p for p in tests if p not in by_unittest]
    if len(by_pytest) > 1:
        yield Suggested(f"python -m pytest {' '.join(map(_quoted, by_pytest))} -q", "all its tests")
        places = {path.rpartition("/")[0] for path in by_pytest}
        if len(places) == 1 and "" not in places:
            yield Suggested(f"python -m pytest {_quoted(places.pop())}/ -q", "the folder of its tests")
    for path in by_pytest:
        yield Suggested(f"python -m pytest {_quoted(path)} -q", path)
    folders = sorted({path.rpartition("/")[0] for path in by_unittest})
    for folder in folders:
        start = f" -s {_quoted(folder)}" if folder else ""
        yield Suggested(f"python -m unittest discover -q{start}", folder or "tests of unittest")
    for path in by_unittest:
        yield Suggested(f"python -m unittest -q {_quoted(path)}", path)
    if by_pytest:
        yield Suggested("python -m pytest -q", "every test pytest finds")
    for path in files:
        if path.endswith(".py") and path not in tests and is_test(path) and "/__init__" not in f"/{path}":
            yield Suggested(f"python {_quoted(path)}", path)
    for path, content in files.items():
        if path.endswith(".py") and path not in tests and not is_test(path) and "__main__" in content:
            yield Suggested(f"python {_quoted(path)}", path)


def _javascript(files: Mapping[str, str]) -> Iterator[Suggested]:
    for path, content in files.items():
        if _SCRIPT_TEST.search(path) or (path.endswith((".js", ".mjs", ".cjs")) and is_test(path)):
            runner = "node --test" if "node:test" in content else "node"
            yield Suggested(f"{runner} {_quoted(path)}", path)
    try:
        scripts = json.loads(files.get("package.json", "{}")).get("scripts", {})
    except (ValueError, AttributeError, RecursionError):
        return
    if isinstance(scripts, dict) and "test" in scripts:
        yield Suggested("npm test", "package.json has a script `test`")


def _others(files: Mapping[str, str]) -> Iterator[Suggested]:
    for path in files:
        if path.endswith(".sh") and is_test(path):
            yield Suggested(f"sh {_quoted(path)}", path)
    if any(path.rpartition("/")[2] == "Cargo.toml" for path in files):
        yield Suggested("cargo test -q", "Cargo.toml")
    if any(path.endswith("_test.go") or path.rpartition("/")[2] == "go.mod" for path in files):
        yield Suggested("go test ./...", "Go module")
    makefile = files.get("Makefile") or files.get("makefile") or ""
    for match in _TARGET.finditer(makefile):
        yield Suggested(f"make {match[1]}", f"Makefile has a target `{match[1]}`")
    if any(path.endswith(".rb") and is_test(path) for path in files):
        yield from (Suggested(f"ruby {_quoted(p)}", p) for p in files if p.endswith(".rb") and is_test(p))
    for path in files:
        if path.endswith(".sh") and not is_test(path):
            yield Suggested(f"sh {_quoted(path)}", path)


def _quoted(path: str) -> str:
    return path if re.fullmatch(r"[\w./@+-]+", path) else "'" + path.replace("'", "'\\''") + "'"

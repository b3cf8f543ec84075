"""A shell command taken apart: enough to see what decides its exit code and which files it runs.

What is not understood (here-documents, substitutions, functions) gives no parts, so that no rule guesses.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import lru_cache

from agentbench_lsp.models.paths import fold

_TOKEN = re.compile(
    r"""(?P<comment>(?<![^\s;|&()])\#[^\n]*)
    | (?P<redirect>\d*(?:&>>?|>>|>\||>&|<&|>|<))
    | (?P<operator>&&|\|\||\|&|[;|&\n()])
    | (?P<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s;|&()<>'"\\])+)
    | (?P<other>\S)""",
    re.VERBOSE | re.DOTALL,
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PREFIXES = frozenset({"sudo", "env", "time", "command", "exec", "nice", "nohup"})
_FILE = re.compile(r"[\w.@+/-]*[\w@+-]\.\w{1,5}")


@dataclass(frozen=True, slots=True)
class Word:
    """A word without its quotes, and its range in the command."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """A simple command: its words, the operators around it (empty at the ends), its range in the command."""

    words: tuple[Word, ...]
    before: str
    after: str
    start: int
    end: int

    @property
    def tool(self) -> str:
        """Name of the program, without its folder; empty where there is none."""
        return self.words[0].text.rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[Word, ...]:
        return self.words[1:]


@lru_cache(maxsize=2048)
def parts(command: str) -> tuple[Part, ...]:
    """The simple commands of a command line, outside of brackets; empty where it is not understood."""
    if "<<" in command or "`" in command:
        return ()
    found: list[Part] = []
    words: list[Word] = []
    before, depth, skip = "", 0, False

    def end_part(operator: str) -> None:
        nonlocal before
        if words:
            found.append(Part(tuple(_command_words(words)), before, operator, words[0].start, words[-1].end))
            before = operator
        elif operator not in ("\n", ""):
            before = operator
        words.clear()

    for match in _TOKEN.finditer(command):
        kind, text = match.lastgroup, match[0]
        if kind == "other":
            return ()
        if kind == "operator" and text in "()":
            depth += 1 if text == "(" else -1
            if depth == 1 and text == "(":
                words.append(Word("(", match.start(), match.end()))
            continue
        if depth:
            continue
        if kind == "redirect":
            skip = True
        elif kind == "word":
            if not skip:
                words.append(Word(_unquote(text), match.start(), match.end()))
            skip = False
        elif kind == "operator":
            end_part(text)
    end_part("")
    return tuple(found) if depth == 0 else ()


def last_pipeline(command: str) -> tuple[Part, ...]:
    """The parts whose exit code may be that of the command."""
    all_parts = parts(command)
    i = len(all_parts) - 1
    while i > 0 and all_parts[i].before in ("|", "|&"):
        i -= 1
    return all_parts[max(i, 0) :]


def _command_words(words: list[Word]) -> list[Word]:
    start = 0
    while start < len(words) and (_ASSIGNMENT.match(words[start].text) or words[start].text in _PREFIXES):
        start += 1
    return words[start:]


def _unquote(text: str) -> str:
    try:
        return "".join(shlex.split(text))
    except ValueError:
        return text


@dataclass(frozen=True, slots=True)
class RunFile:
    """A file that a command runs: its path, where the command names it, whether it is run as a test."""

    path: str
    start: int
    end: int
    is_test: bool
    named: bool = True  # False: found by the test runner


_SCRIPT_TOOLS = re.compile(r"^(python[\d.]*|node|deno|bun|sh|bash|dash|zsh|ruby|perl|php|Rscript|lua)$")
_TEST_NAME = re.compile(r"(^|[/_.-])(tests?|specs?|check)([/_.-]|$)|(^|/)(test|check)[^/]*$", re.IGNORECASE)
_PYTEST_NAMES = ("test_*.py", "*_test.py")
_WITH_VALUE = frozenset({"-k", "-m", "-p", "-c", "-o", "-W", "-n", "-s", "-t", "--rootdir", "-r", "--require", "-X"})


def files_run(command: str, paths: Collection[str]) -> list[RunFile]:
    """Files that a command runs, relative to the workspace; `paths` are the workspace files, folded."""
    found: list[RunFile] = []
    for part in parts(command):
        if part.tool in ("cd", "pushd"):
            break  # what follows is relative to another folder
        found += _files_of(part, paths)
    return found


def _files_of(part: Part, paths: Collection[str]) -> Iterator[RunFile]:
    arguments = list(part.arguments)
    if re.fullmatch(r"python[\d.]*", part.tool):
        module = _module(arguments)
        if module is not None:
            name, rest = module
            yield from _of_runner(name, rest, part, paths)
            return
    if part.tool in ("pytest", "py.test"):
        yield from _of_runner("pytest", arguments, part, paths)
    elif _SCRIPT_TOOLS.match(part.tool):
        script = _script(arguments)
        if script is not None:
            yield _file(script, is_test=bool(_TEST_NAME.search(fold(script.text))))
    elif part.words and part.words[0].text.startswith("./") and _FILE.fullmatch(part.words[0].text):
        yield _file(part.words[0], is_test=bool(_TEST_NAME.search(part.words[0].text)))


def _module(arguments: list[Word]) -> tuple[str, list[Word]] | None:
    for i, word in enumerate(arguments):
        if word.text == "-m" and i + 1 < len(arguments):
            return arguments[i + 1].text, arguments[i + 2 :]
        if word.text in _WITH_VALUE or not word.text.startswith("-"):
            return None
    return None


def _script(arguments: list[Word]) -> Word | None:
    for word in arguments:
        if word.text in ("-c", "-e", "-", "--eval", "-p", "--test", "-m", "run", "test"):
            return None
        if not word.text.startswith("-"):
            return word if _FILE.fullmatch(word.text) else None
    return None


def _of_runner(name: str, arguments: list[Word], part: Part, paths: Collection[str]) -> Iterator[RunFile]:
    if name == "unittest":
        yield from _unittest(arguments, part, paths)
    if name != "pytest":
        return
    targets = [
        word
        for i, word in enumerate(arguments)
        if not word.text.startswith("-") and not (i and arguments[i - 1].text in _WITH_VALUE)
    ]
    for word in targets:
        path = fold(word.text.partition("::")[0])
        if path.endswith(".py"):
            yield RunFile(path, word.start, word.end, is_test=True)
        else:
            yield from _collected(path, _PYTEST_NAMES, word.start, word.end, paths)
    if not targets:
        yield from _collected("", _PYTEST_NAMES, part.start, part.end, paths)


def _unittest(arguments: list[Word], part: Part, paths: Collection[str]) -> Iterator[RunFile]:
    texts = [word.text for word in arguments]
    if texts[:1] == ["discover"] or not [t for t in texts if not t.startswith("-")]:
        flags = [i for i, text in enumerate(texts) if text in ("-s", "--start-directory")]
        folder = fold(texts[flags[0] + 1]) if flags and flags[0] + 1 < len(texts) else ""
        yield from _collected(folder, ("test*.py",), part.start, part.end, paths)
        return
    for word in arguments:
        if not word.text.startswith("-"):
            path = word.text if word.text.endswith(".py") else word.text.replace(".", "/") + ".py"
            if fold(path) in paths:
                yield RunFile(fold(path), word.start, word.end, is_test=True)


def _collected(folder: str, names: tuple[str, ...], start: int, end: int, paths: Collection[str]) -> Iterator[RunFile]:
    for path in paths:
        inside = not folder or path.startswith(folder + "/")
        if inside and any(fnmatch(path.rpartition("/")[2], name) for name in names):
            yield RunFile(path, start, end, is_test=True, named=False)


def _file(word: Word, is_test: bool) -> RunFile:
    return RunFile(fold(word.text), word.start, word.end, is_test)

"""What the output of a command says: how many tests ran, what is missing, which lines tell why it failed."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from typing import Literal

Outcome = Literal[
    "passed",  # exit code 0
    "command-failed",
    "tests-failed",  # a test runner said so
    "no-tests-ran",
    "tool-missing",  # the interpreter, the program or the module that the command names
    "killed",  # by a signal
    "timed-out",
    "not-run",
]
LINE_LIMIT = 500  # characters of a line that are shown
_MOST_LINES = 5

# What test runners print when there was nothing to run: pytest, unittest, jest, vitest, mocha, go, TAP, cargo.
_NO_TESTS = re.compile(
    r"^(?:=*\s*(?:collected 0 items\b.*|no tests ran\b.*)|Ran 0 tests in .*|NO TESTS RAN|No tests found\b.*"
    r"|No test files found\b.*|\s*0 passing\b.*|1\.\.0\b.*|# tests 0|ℹ tests 0|testing: warning: no tests to run)$",
    re.MULTILINE,
)
_CARGO = re.compile(r"^running (\d+) tests?$", re.MULTILINE)
_GO = re.compile(r"^(?:ok|FAIL|---|\?)\s+\S+\s+(\[no test files\])?", re.MULTILINE)
_RAN = re.compile(
    r"^(?:Ran [1-9]\d* tests? in .*|=*\s*(?:\d+ \w+, )*[1-9]\d* (?:passed|failed|error)s?\b.*|Tests:\s+.*\d+ total.*"
    r"|\s*[1-9]\d* (?:passing|failing)\b.*|# tests [1-9]\d*|ℹ tests [1-9]\d*|not ok \d+.*|--- FAIL: .*"
    r"|test result: FAILED\..*|FAILED \(.*\))$",
    re.MULTILINE,
)
_MODULE_MISSING = re.compile(r"^\S*python[\d.]*(?:\.exe)?: No module named (\S+)$", re.MULTILINE)
_TELLING = re.compile(
    r"^E\s{2,}\S|^(?:FAILED|ERROR)\s+\S|^(?:\w+\.)*\w*(?:Error|Exception|Failure)\b\s*:|^(?:error|fatal|panic)\b"
    r"|^not ok \d|^(?:AssertionError|assert(?:ion)? .*failed)|^(?:FAIL|--- FAIL)\b|^(?:expected|received|actual)\b"
    r"|: error\b|\b(?:command )?not found$|No such file or directory$",
    re.IGNORECASE,
)


def no_tests_ran(stdout: str, stderr: str) -> bool:
    """True where a test runner says that it ran nothing, and none says that it ran something."""
    text = f"{stdout}\n{stderr}"
    if _RAN.search(text):
        return False
    cargo = [int(count) for count in _CARGO.findall(text)]
    packages = _GO.findall(text)
    return bool(_NO_TESTS.search(text)) or (bool(cargo) and not any(cargo)) or (bool(packages) and all(packages))


def tests_ran(stdout: str, stderr: str) -> bool:
    """True where a test runner says that it ran at least one test."""
    return bool(_RAN.search(f"{stdout}\n{stderr}"))


def missing_module(stderr: str) -> str | None:
    """The module that `python -m` did not find."""
    match = _MODULE_MISSING.search(stderr)
    return match.group(1) if match else None


def outcome(exit_code: int | None, timed_out: bool, stdout: str, stderr: str) -> Outcome:
    """What became of a command that ran."""
    if timed_out:
        return "timed-out"
    if exit_code == 0:
        return "passed"
    if signal_of(exit_code) is not None:
        return "killed"
    if exit_code in (126, 127) or missing_module(stderr):
        return "tool-missing"
    if no_tests_ran(stdout, stderr):
        return "no-tests-ran"
    return "tests-failed" if tests_ran(stdout, stderr) else "command-failed"


def signal_of(exit_code: int | None) -> str | None:
    """The signal that ended the command, as `9 (SIGKILL)`: Python says -9, a shell 137."""
    if exit_code is None or not (exit_code < 0 or 128 < exit_code < 160):
        return None
    number = -exit_code if exit_code < 0 else exit_code - 128
    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number) if exit_code < 0 else None


def first_line(text: str) -> str:
    """The first line that says something; rulers of `=` and `-` do not."""
    return shortened(next(_said(text), ""))


def telling_lines(stdout: str, stderr: str) -> list[str]:
    """The lines that say why: errors and failed assertions, else how the output begins. At most five."""
    lines = [*_said(stderr), *_said(stdout)]
    found = [line for line in lines if _TELLING.search(line)]
    return [shortened(line) for line in dict.fromkeys(found or lines)][:_MOST_LINES]


def _said(text: str) -> Iterator[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    worded = [line for line in lines if any(map(str.isalnum, line))]
    return iter(worded or lines)


def shortened(line: str) -> str:
    """A line that is not longer than what is shown."""
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"

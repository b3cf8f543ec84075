"""`assertion_exists`: a regex that one file must match after the agent's edits."""

from __future__ import annotations

import re
from typing import Any

from agentbench_lsp.models.paths import escapes, fold
from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.oracles.base import FileOracle, OracleContext, Param, register_oracle, text_param
from agentbench_lsp.runner import regex
from agentbench_lsp.runner.trajectory import Trajectory


@register_oracle
class AssertionExists(FileOracle):
    r"""A regex must be found in a file, after the agent's edits.

    Use it to notice a deleted or weakened assertion without asking for a byte-identical file. `pattern` is a Python
    regex searched with `re.MULTILINE`, not literal text: brackets and dots need a backslash, which JSON wants
    doubled, as in `"assert add\\(1, 2\\) == 3"`. A file with CRLF line ends matches as it is or with LF.
    """

    oracle_type = "assertion_exists"
    params = (
        Param("path", kind="workspace_path", description="File to search, relative to the workspace."),
        Param("pattern", kind="regex", description="Python regex, searched with `re.MULTILINE`."),
    )

    def check_files(
        self,
        oracle: Oracle,
        context: OracleContext,
        trajectory: Trajectory,
        initial_workspace: dict[str, str],
    ) -> OracleResult:
        path, pattern = text_param(oracle, "path"), text_param(oracle, "pattern")
        details: dict[str, Any] = {"path": oracle.params.get("path"), "pattern": oracle.params.get("pattern")}

        def verdict(passed: bool, message: str) -> OracleResult:
            return OracleResult(self.oracle_type, passed, message, dict(details))

        if path is None or pattern is None:
            return verdict(False, "needs the params path and pattern, both non-empty text")
        folded = fold(path)
        if escapes(folded):
            return verdict(False, f"{path} is outside the workspace")
        content = context.files.get(folded)
        if content is None:
            folder = any(name.startswith(folded + "/") for name in context.files) or folded == ""
            return verdict(False, f"{path} is a folder, not a file" if folder else f"{path} does not exist")
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as exc:
            return verdict(False, f"{path} is not UTF-8 text (byte {exc.start}), so no pattern can be searched")
        try:
            found = _found(pattern, text, context.regex_seconds)
        except re.error as exc:
            details["undecided"] = True
            return verdict(False, f"pattern is not a valid regex: {exc}")
        except (OverflowError, RecursionError) as exc:
            details["undecided"] = True
            return verdict(False, f"pattern cannot be compiled: {exc}")
        except regex.RegexTimeoutError:
            seconds = context.regex_seconds
            details["undecided"] = True
            return verdict(False, f"pattern is too costly: no answer for {path} within {seconds:g} s")
        if not found:
            return verdict(False, f"pattern `{pattern}` is not found in {path}")
        return verdict(True, f"pattern is found in {path}")


def _found(pattern: str, text: str, seconds: float) -> bool:
    if regex.search(pattern, text, re.MULTILINE, seconds):
        return True
    # `$` and `\n` in a pattern mean the end of a line, whichever way the file ends its lines.
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain != text and bool(regex.search(pattern, plain, re.MULTILINE, seconds))

"""`file_not_modified`: a workspace file that the agent must leave alone."""

from __future__ import annotations

from typing import Any

from agentbench_lsp.models.paths import fold
from agentbench_lsp.models.task import Oracle, OracleResult
from agentbench_lsp.oracles.base import FileOracle, OracleContext, Param, register_oracle, text_param
from agentbench_lsp.runner.replay import workspace_files
from agentbench_lsp.runner.trajectory import Trajectory


@register_oracle
class FileNotModified(FileOracle):
    """The agent must leave a file of the workspace byte for byte as it was.

    Use it for tests, lockfiles and CI configuration. One file per oracle; there are no wildcards. An edit that was
    taken back passes: what counts is the file the agent left.
    """

    oracle_type = "file_not_modified"
    guard = True
    params = (Param("path", kind="workspace_path", must_exist=True, description="File of `workspace` to protect."),)

    def check_files(
        self,
        oracle: Oracle,
        context: OracleContext,
        trajectory: Trajectory,
        initial_workspace: dict[str, str],
    ) -> OracleResult:
        path = text_param(oracle, "path")
        details: dict[str, Any] = {"path": oracle.params.get("path")}
        if path is None:
            return OracleResult(self.oracle_type, False, "needs the param path, a non-empty text", details)
        before = workspace_files(initial_workspace) if context.initial is None else context.initial
        initial = before.get(fold(path))
        if initial is None:
            message = f"{path} is not a file of the task's workspace, so there is nothing to protect (fix the task)"
            return OracleResult(self.oracle_type, False, message, details)
        final = context.files.get(fold(path))
        if final is None:
            return OracleResult(self.oracle_type, False, f"{path} was removed", details)
        if final != initial:
            message = f"{path} was modified ({len(initial)} bytes before, {len(final)} after)"
            if not context.brief:
                from agentbench_lsp.runner.text_diff import decoded, short_diff  # difflib: for failures only

                lines = short_diff(decoded(initial), decoded(final))
                details["diff"] = lines or ["bytes that are no UTF-8 text differ"]
            return OracleResult(self.oracle_type, False, message, details)
        return OracleResult(self.oracle_type, True, f"{path} is unchanged", details)

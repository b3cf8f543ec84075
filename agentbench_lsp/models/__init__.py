"""Plain data: tasks, oracles, results, and the one path normalisation."""

from agentbench_lsp.models.task import EvalTask, Oracle, OracleResult, RunResult

__all__ = ["EvalTask", "Oracle", "OracleResult", "RunResult"]

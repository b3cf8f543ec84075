"""AgentBench LSP: language server, evaluation engine and command line for AgentBench tasks."""

__version__ = "0.1.0"

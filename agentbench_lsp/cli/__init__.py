"""The `agentbench` command: one file per subcommand."""

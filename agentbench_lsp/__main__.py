"""`python -m agentbench_lsp` is the `agentbench` command."""

from agentbench_lsp.cli.main import main

if __name__ == "__main__":
    main()

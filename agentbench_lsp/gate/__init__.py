"""Verdicts: evaluating tasks, manifests, projects with oracles of their own (seed: `agentbench.gate`)."""

"""Trajectories, what their steps do to files, and running one command."""

from agentbench_lsp.runner.trajectory import Trajectory, TrajectoryStep

__all__ = ["Trajectory", "TrajectoryStep"]

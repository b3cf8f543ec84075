"""Fixtures and settings for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
TASKS = ROOT / "tasks"
SHARED = ROOT.parent / "shared"

SLOW = [HealthCheck.too_slow]  # what a loaded machine makes of it says nothing about the code
settings.register_profile("default", deadline=None, max_examples=100, suppress_health_check=SLOW)
settings.register_profile("thorough", deadline=None, max_examples=3000, suppress_health_check=SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def samples() -> Path:
    """The recorded tasks of AgentBench OS, read in place."""
    folder = SHARED / "samples" / "tasks-agentbench-os"
    if not folder.is_dir():
        pytest.skip("the recorded samples are not on this machine")
    return folder

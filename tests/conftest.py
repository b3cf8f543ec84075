"""Fixtures and settings for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
TASKS = ROOT / "tasks"
SHARED = ROOT.parent / "shared"

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("thorough", deadline=None, max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def samples() -> Path:
    """The recorded tasks of AgentBench OS, read in place."""
    folder = SHARED / "samples" / "tasks-agentbench-os"
    if not folder.is_dir():
        pytest.skip("the recorded samples are not on this machine")
    return folder

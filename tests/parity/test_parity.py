"""The recorded cases of AgentBench OS v0.1.0. What does not agree stands in docs/compatibility.md, with the reason."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, SHARED

PARITY = SHARED / "parity"
ADAPTER = Path(__file__).parent / "adapter.py"


def documented() -> set[str]:
    text = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
    section = text.partition("## Recorded cases that differ")[2]
    return set(re.findall(r"^- `([^`]+)`", section, re.MULTILINE))


@pytest.mark.timeout(300)
@pytest.mark.skipif(not PARITY.is_dir(), reason="the recorded cases are not on this machine")
def test_every_case_that_is_no_quirk_agrees_or_is_documented() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "harness.py",
            "check",
            "vectors.json",
            "--adapter",
            str(ADAPTER),
            "--skip-quirks",
            "--skip-slow",
        ],
        cwd=PARITY,
        capture_output=True,
        text=True,
        check=False,
    )
    passed, failed = map(int, re.findall(r"(\d+) passed, (\d+) failed", done.stdout)[-1])
    assert passed > 250
    different = set(re.findall(r"^DIFF (.+)$", done.stdout, re.MULTILINE))
    assert len(different) == failed
    assert different == documented()

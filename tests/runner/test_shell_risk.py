"""Which shell commands look as if they changed a file."""

from __future__ import annotations

import pytest

from agentbench_lsp.runner.shell_risk import may_change

RISKY = [
    "sed -i s/3/4/ tests/t.py /tmp/x",
    "rm tests/t.py",
    "rm -rf tests",
    "mv a.py tests/t.py",
    "echo x > tests/t.py",
    "echo x >> ./tests/t.py",
    "cat <<EOF > tests/t.py\nassert True\nEOF",
    "printf x | tee tests/t.py",
    "git checkout -- tests/t.py",
    "git reset --hard",
    "cd tests && rm t.py",
    "python -c \"open('tests/t.py','w').write('')\"",
    "cp /tmp/other.py /home/me/proj/tests/t.py",
    "black tests/t.py",
    "rm tests/*.py",
    "FOO=1 sudo rm tests/t.py",
]
HARMLESS = [
    "cat tests/t.py",
    "python -m pytest tests/t.py -q",
    "grep -n 'rm tests' src/a.py",
    "echo done > log.txt",
    "sed -n 1,5p tests/t.py",
    "git diff tests/t.py",
    "git status",
    "rm src/a.py",
    "echo 'hello'",
]


@pytest.mark.parametrize("command", RISKY)
def test_risky(command: str) -> None:
    assert may_change(command, "tests/t.py")


@pytest.mark.parametrize("command", HARMLESS)
def test_harmless(command: str) -> None:
    assert not may_change(command, "tests/t.py")

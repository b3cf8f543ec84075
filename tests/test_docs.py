"""Generated pages are what the code says, and the README says what is true."""

from __future__ import annotations

import re
import runpy
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES: dict[str, str] = runpy.run_path(str(DOCS / "generate.py"))["pages"]()


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name], "run: python3 dev.py docs"


def test_no_page_is_left_over() -> None:
    assert {f"rules/{p.name}" for p in (DOCS / "rules").glob("*.md")} == {n for n in PAGES if n.startswith("rules/")}


def test_the_readme_gives_a_reason_for_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [project["project"]["dependencies"], *project["dependency-groups"].values()]
    wanted = {re.split(r"[^\w.-]", line)[0] for group in groups for line in group}
    explained = set(re.findall(r"^\| `([\w.-]+)` \|", README, re.MULTILINE))
    assert explained == wanted


def test_the_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_command_of_the_readme_exists() -> None:
    from agentbench_lsp.cli.main import _COMMANDS

    assert set(re.findall(r"^agentbench (\w+)", README, re.MULTILINE)) <= set(_COMMANDS)


def test_no_address_of_a_registry_and_no_path_of_a_machine() -> None:
    listed = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split("\0")
    files = [path for name in names if name and (path := ROOT / name).is_file()]
    assert len(files) > 100
    bad = re.compile(rb"(pypi\.org|registry\.npmjs|pythonhosted|deb\.debian|/root/|/home/[a-z]+/\.|C:\\\\Users)")
    for path in files:
        if path != Path(__file__):
            assert not bad.search(path.read_bytes()), path

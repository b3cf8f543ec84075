"""The page of the report, in a real browser: what it says, without network, with keys, in light and dark."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from agentbench_lsp.dsl.catalogue import Catalogue
from agentbench_lsp.gate.evaluator import Evaluator
from agentbench_lsp.gate.report.html_report import html_report
from tests.helpers.build import bash, exists, must_pass, replace, save, task, task_dict, trajectory, unmodified, write

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.xdist_group("chromium"),
]
HOSTILE = "</script><script>document.title='hacked'</script><img src=x onerror=\"document.title='hacked'\">"
ORACLES = [exists("t.py", "assert x"), unmodified("c.ini"), exists("new.py", "def"), must_pass("echo said; exit 3")]
STEPS = [
    bash("ls"),
    replace("t.py", "assert x", "assert True"),
    write("new.py", "def f(): ...\n"),
    write("c.ini", "a = 2\n"),
    {"tool": "think", "args": {"thought": HOSTILE}},
]
WORKSPACE = {"t.py": "import x\nassert x\n", "c.ini": "a = 1\n"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Opened:
    """A report in a page that notes what goes wrong and what is asked of the network."""

    def __init__(self, page: Page, path: Path, oracles: list[dict[str, Any]], steps: list[dict[str, Any]]) -> None:
        self.page, self.wrong = page, []
        judged, recorded = task(*oracles, workspace=WORKSPACE), trajectory(*steps, agent="hasty")
        judged.name = f"A task {HOSTILE}"
        evaluator = Evaluator()
        result = evaluator.compare_untouched(judged, recorded, evaluator.evaluate(judged, recorded))
        path.write_text(html_report(judged, recorded, result, Catalogue()), encoding="utf-8")
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda message: self.wrong.append(message.text))
        page.on("request", lambda request: self.wrong.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())

    def cells(self, row: int) -> list[str]:
        """States of an oracle, column by column; the one to blame in capitals."""
        names = (
            self.page.locator("#timeline tbody tr")
            .nth(row)
            .locator(".cell")
            .evaluate_all("cells => cells.map(cell => cell.className.split(' ').slice(1))")
        )
        return [name[0].upper() if "blamed" in name else name[0] for name in names]

    def focused(self) -> str | None:
        active = "document.activeElement"
        return self.page.evaluate(f"{active}.getAttribute('aria-label') || {active}.innerText")


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    opened = Opened(page, tmp_path / "report.html", ORACLES, STEPS)
    yield opened
    assert opened.wrong == []  # no error, no request
    page.close()


def unfold(page: Page, card: str) -> None:
    """Open a card and wait for what is in it, which is written then."""
    page.locator(f"#{card} summary").click()
    page.locator(f"#{card} > div").wait_for()


def test_the_timeline_of_every_oracle(opened: Opened) -> None:
    assert opened.page.locator("th.step").all_inner_texts() == ["start", "0", "1", "2", "3", "4"]
    assert opened.cells(0) == ["passing"] * 2 + ["FAILING"] + ["failing"] * 3
    assert opened.cells(1) == ["passing"] * 4 + ["FAILING"] + ["failing"]
    assert opened.cells(2) == ["not-applicable"] * 3 + ["passing"] * 3
    assert opened.cells(3) == ["unknown"] * 5 + ["failing"]


def test_the_verdict_the_output_and_the_steps(opened: Opened) -> None:
    page = opened.page
    assert page.locator("#verdict").inner_text() == "FAIL"
    assert "1 of 4 oracles passed · 5 steps · hasty" in page.locator("#subtitle").inner_text()
    assert "was:    assert x\nbecame: assert True" in page.locator("#oracle-0").inner_text()
    assert "said" in page.locator("#oracle-3").inner_text()
    assert page.locator("#step-3 .diff .del").all_inner_texts() == ["-a = 1"]
    assert page.locator("#step-3 .diff .add").all_inner_texts() == ["+a = 2"]
    assert page.locator("#step-3 .note").all_inner_texts() == ["oracle 1: file_not_modified passed until here"]
    unfold(page, "step-0")
    assert "replay does not run it" in page.locator("#step-0").inner_text()


def test_what_documents_hold_is_text(opened: Opened) -> None:
    page = opened.page
    assert page.locator("h1").inner_text() == f"A task {HOSTILE}"
    unfold(page, "step-4")
    assert "onerror" in page.locator("#step-4").inner_text()
    assert page.title() == "FAIL t - AgentBench"
    assert page.locator("img").count() == 0


def test_with_the_keyboard_alone(opened: Opened) -> None:
    page = opened.page
    for _ in range(9):
        page.keyboard.press("Tab")
        if str(opened.focused()).startswith("oracle 0 passing before"):
            break
    assert opened.focused() == "oracle 0 passing before the agent"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert opened.focused() == "oracle 1 failing after step 3, this step is to blame"
    page.keyboard.press("Enter")
    assert opened.focused().startswith("3")  # type: ignore[union-attr]
    assert page.locator("#step-3").get_attribute("open") is not None


def test_light_and_dark(opened: Opened) -> None:
    colours = []
    for scheme in ("light", "dark"):
        opened.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        colours.append(opened.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours == ["rgb(255, 255, 255)", "rgb(21, 24, 28)"]


def test_narrow_windows_scroll_the_timeline_and_nothing_else(opened: Opened) -> None:
    opened.page.set_viewport_size({"width": 360, "height": 700})
    assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_long_run_stays_readable(browser: Browser, tmp_path: Path) -> None:
    steps = [write("c.ini", f"a = {i}\n") for i in range(3000)]
    page = browser.new_page()
    opened = Opened(page, tmp_path / "long.html", [unmodified("c.ini"), exists("c.ini", "[02468]$")], steps)
    assert page.locator("th.step").count() <= 202
    assert opened.cells(0)[:3] == ["passing", "FAILING", "failing"] or "FAILING" in opened.cells(0)
    assert page.locator("#steps > details").count() == 3000
    unfold(page, "step-2998")
    assert "+a = 2998" in page.locator("#step-2998").inner_text()
    page.close()


def test_the_command_line_writes_it(tmp_path: Path) -> None:
    save(tmp_path / "t.json", task_dict(unmodified("a.txt")))
    save(tmp_path / "j.json", {"steps": [write("a.txt", "x")]})

    def report(*more: str) -> subprocess.CompletedProcess[str]:
        files = ["--task", "t.json", "--trajectory", "j.json", *more]
        command = [sys.executable, "-m", "agentbench_lsp", "report", *files]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = report("-o", "r.html")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[0] == "FAIL t"
    pages = [report("-o", "-").stdout, (tmp_path / "r.html").read_text(encoding="utf-8")]
    assert len({re.sub(r'"seconds": [\d.]+', "", page) for page in pages}) == 1
    nowhere = report("-o", "no/such/folder.html")
    assert nowhere.returncode == 2
    assert "folder.html cannot be written: No such file" in nowhere.stderr
    assert report("-o", "r.html", "--trajectory", "gone.json").returncode == 2

"""The apply_patch envelope: the scenarios of its authors where they are at hand, and our own."""

from pathlib import Path

import pytest

from agentbench_lsp.runner.edits import NotAppliedError
from agentbench_lsp.runner.edits.patch_envelope import parse_envelope
from agentbench_lsp.runner.replay import replay
from agentbench_lsp.runner.trajectory import Trajectory

SCENARIOS = Path(__file__).parents[4] / "shared" / "samples" / "apply-patch-scenarios"


def patched(files: dict[str, str], patch: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The files after a step that applies the patch, and its reports."""
    step = {"tool": "apply_patch", "args": {"input": patch}}
    done = replay(files, Trajectory.from_dict({"steps": [step]}))
    return {p: c.decode() for p, c in done.files.items()}, [(r.path, r.status) for r in done.reports]


def folder(path: Path) -> dict[str, str]:
    found = path.rglob("*") if path.is_dir() else []
    return {p.relative_to(path).as_posix(): p.read_bytes().decode() for p in found if p.is_file()}


@pytest.mark.skipif(not SCENARIOS.is_dir(), reason="../shared/samples is not here")
def test_the_scenarios_of_codex() -> None:
    scenarios = sorted(path for path in SCENARIOS.iterdir() if path.is_dir())
    assert len(scenarios) == 25
    for scenario in scenarios:
        after, _ = patched(folder(scenario / "input"), (scenario / "patch.txt").read_bytes().decode())
        assert after == folder(scenario / "expected"), scenario.name


def envelope(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


def test_files_are_added_updated_moved_and_deleted_in_one_patch() -> None:
    patch = envelope(
        "*** Add File: new.txt",
        "+hello",
        "*** Update File: a.txt",
        "*** Move to: sub/b.txt",
        "@@",
        " one",
        "-two",
        "+2",
        "*** Delete File: gone.txt",
    )
    after, reports = patched({"a.txt": "one\ntwo\n", "gone.txt": ""}, patch)
    assert after == {"new.txt": "hello\n", "sub/b.txt": "one\n2\n"}
    assert reports == [(path, "applied") for path in ("new.txt", "a.txt", "sub/b.txt", "gone.txt")]


def test_what_comes_before_a_failure_stays_and_the_rest_is_left() -> None:
    patch = envelope(
        "*** Add File: new.txt", "+x", "*** Delete File: none.txt", "*** Update File: a.txt", "@@", "-one", "+1"
    )
    after, reports = patched({"a.txt": "one\n"}, patch)
    assert after == {"a.txt": "one\n", "new.txt": "x\n"}
    assert reports == [("new.txt", "applied"), ("none.txt", "not-applied"), ("a.txt", "not-applied")]


def test_stacked_anchors_narrow_the_place() -> None:
    text = "class A:\n  def f():\n    return 1\nclass B:\n  def f():\n    return 1\n"
    patch = envelope("*** Update File: a.py", "@@ class B:", "@@   def f():", "-    return 1", "+    return 2")
    after, _ = patched({"a.py": text}, patch)
    assert after["a.py"] == text[::-1].replace("1 nruter", "2 nruter", 1)[::-1]


@pytest.mark.parametrize(
    ("line", "in_patch"), [("x = 1   ", "x = 1"), ("    x = 1", "x = 1"), ("“quoted” – text", '"quoted" - text')]
)
def test_matching_forgives_blanks_and_typography(line: str, in_patch: str) -> None:
    after, _ = patched({"a": f"{line}\n"}, envelope("*** Update File: a", "@@", f"-{in_patch}", "+new"))
    assert after == {"a": "new\n"}


def test_a_context_line_may_look_like_a_head() -> None:
    patch = envelope("*** Update File: a", "@@", " *** Delete File: b", "-x", "+y")
    assert patched({"a": "*** Delete File: b\nx\n", "b": ""}, patch)[0] == {"a": "*** Delete File: b\ny\n", "b": ""}


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        ("", "does not begin with"),
        ("*** Begin Patch\n*** Add File: a\n+x", "does not end with"),
        (envelope(), "names no file"),
        (envelope("*** Add File: "), "line 2 of the patch names no file"),
        (envelope("*** Rename File: a"), "line 2 of the patch names no file"),
        (envelope("*** Update File: a"), "says not how"),
        (envelope("*** Update File: a", "@@", "wrong"), "line 4 of the patch begins with none of"),
    ],
)
def test_what_is_wrong_with_a_patch_is_said(patch: str, says: str) -> None:
    with pytest.raises(NotAppliedError, match=says):
        parse_envelope(patch)

"""One path normalisation, everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_lsp.models.paths import escapes, fold, is_absolute, parents, relative_to_root, unusable

PATHS = st.text(st.sampled_from("ab./\\:C"), max_size=15)


@pytest.mark.parametrize(
    ("path", "folded"),
    [
        ("a/b", "a/b"),
        ("./a//b/", "a/b"),
        ("a\\b", "a/b"),
        ("a/../b", "b"),
        ("/a", "a"),
        ("../a", "../a"),
        ("a/../../b", "../b"),
        ("..\\..\\a", "../../a"),
        (".", ""),
        ("", ""),
    ],
)
def test_fold(path: str, folded: str) -> None:
    assert fold(path) == folded


@given(PATHS)
def test_folding_twice_is_folding_once(path: str) -> None:
    once = fold(path)
    assert fold(once) == once
    assert "\\" not in once
    assert not once.startswith("/")
    assert escapes(once) == (once.split("/")[0] == "..")


@pytest.mark.parametrize(
    ("path", "root", "relative"),
    [
        ("/home/me/p/a.txt", "/home/me/p", "a.txt"),
        ("/home/me/p/../p/a.txt", "/home/me/p/", "a.txt"),
        ("/home/me/pa.txt", "/home/me/p", "../../../home/me/pa.txt"),
        ("/etc/passwd", "/home/me/p", "../../../etc/passwd"),
        ("C:\\p\\a.txt", "c:/p", "a.txt"),
        ("C:\\q\\a.txt", "c:/p", "../../C:/q/a.txt"),
        ("src/a.txt", "/home/me/p", "src/a.txt"),
        ("/a.txt", None, "a.txt"),
    ],
)
def test_absolute_paths_are_relative_to_the_root(path: str, root: str | None, relative: str) -> None:
    assert relative_to_root(path, root) == relative


def test_paths_that_no_file_can_have() -> None:
    assert unusable("a/b.txt") is None
    for path in ("", "a\0b", "a\ud83d", "x" * 256, "a/" * 3000 + "a"):
        assert unusable(path), path


def test_parents_and_absolute() -> None:
    assert parents("a/b/c") == ["a", "a/b"]
    assert [is_absolute(p) for p in ("/a", "\\a", "C:\\a", "C:/a", "a", "./a", "C:a")] == [True] * 4 + [False] * 3

"""Elements in text."""

from __future__ import annotations

from agentbench_lsp.importers.core.tags import elements


def test_elements_in_order_and_only_those_that_are_closed() -> None:
    text = "a <path>x</path> <open> <content>\n<path>y</path></content> </path>"
    assert list(elements(text)) == [("path", "x"), ("content", "\n<path>y</path>")]
    assert list(elements(text, ("path",))) == [("path", "x"), ("path", "y")]


def test_many_that_are_never_closed_take_no_time() -> None:
    assert not list(elements("<a><b> " * 200_000))

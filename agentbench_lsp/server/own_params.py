"""Params of our own messages, which arrive as plain JSON values."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcInvalidParams


def text_param(params: Any, name: str) -> str:
    """A text of the params. Raises JsonRpcInvalidParams."""
    value = params.get(name) if isinstance(params, dict) else None
    if not isinstance(value, str):
        raise JsonRpcInvalidParams(f"{name} must be a text, not {value!r}")
    return value


def texts_param(params: Any, name: str) -> list[str]:
    """A list of texts of the params. Raises JsonRpcInvalidParams."""
    value = params.get(name) if isinstance(params, dict) else None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise JsonRpcInvalidParams(f"{name} must be a list of texts")
    return value

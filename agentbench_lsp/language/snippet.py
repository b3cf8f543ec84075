"""Text with places for the cursor, in LSP's snippet syntax and as plain text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from agentbench_lsp.oracles.base import OracleSpec, Param

INDENT = "  "


def escape(text: str) -> str:
    """`text` as it stands in a snippet."""
    return re.sub(r"([\\$}])", r"\\\1", text)


def plain(snippet: str) -> str:
    """A snippet without its places."""
    text = re.sub(r"(?<!\\)\$\{\d+:((?:[^\\}]|\\.)*)\}", r"\1", snippet)
    text = re.sub(r"(?<!\\)\$\d+", "", text)
    return re.sub(r"\\([\\$}])", r"\1", text)


def value_place(param: Param, number: int) -> str:
    """The value of a param with the cursor's place in it."""
    if param.kind == "boolean":
        return f"${{{number}:{json.dumps(bool(param.default))}}}"
    if param.kind in ("seconds", "integer"):
        return f"${{{number}:{json.dumps(param.default if param.default is not None else 0)}}}"
    if param.kind == "string_list":
        return f'["${number}"]'
    return f'"${number}"'


def param_lines(params: Sequence[Param], first: int = 1) -> list[str]:
    """`"name": value` of each param."""
    return [f"{json.dumps(p.name)}: {value_place(p, i)}" for i, p in enumerate(params, first)]


def oracle_snippet(spec: OracleSpec) -> str:
    """A whole oracle object with its required params."""
    required = [p for p in spec.params or () if p.required]
    lines = [f'"type": {escape(json.dumps(spec.type))}', *param_lines(required)]
    if len(lines) == 1:
        return f"{{ {lines[0]} }}"
    return "{\n" + ",\n".join(INDENT + line for line in lines) + "\n}"

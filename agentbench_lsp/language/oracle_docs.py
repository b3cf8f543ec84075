"""Oracle types and params as Markdown, from the catalogue alone."""

from __future__ import annotations

import json

from agentbench_lsp.oracles.base import OracleSpec, Param


def oracle_markdown(spec: OracleSpec) -> str:
    """The oracle's docstring and its params."""
    parts = [spec.doc or f"`{spec.type}`, an oracle of this project."]
    if spec.params is None:
        parts.append("Its params are not declared, so they are not checked.")
    elif spec.params:
        parts.append("\n".join(f"- `{p.name}` ({_facts(p)}): {p.description}" for p in spec.params))
    else:
        parts.append("It has no params.")
    return "\n\n".join(parts)


def param_markdown(param: Param) -> str:
    """One param: kind, whether it is required, default, description."""
    return f"{param.description}\n\n*{_facts(param)}*".strip()


def _facts(param: Param) -> str:
    kind = param.kind.replace("_", " ")
    if param.required:
        return f"{kind}, required"
    return f"{kind}, default {json.dumps(param.default)}" if param.default is not None else f"{kind}, optional"

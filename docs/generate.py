"""Writes the generated pages.

docs/rules/*.md from the rules' docstrings, docs/oracles.md from the catalogue, docs/features.md from what the server
has registered.
"""

from __future__ import annotations

import re
from pathlib import Path

from lsprotocol import types

import agentbench_lsp.oracles  # noqa: F401 - registers the built-in types
from agentbench_lsp.language.oracle_docs import oracle_markdown
from agentbench_lsp.oracles.base import registered_specs
from agentbench_lsp.project.rule_pages import documented_rules, page
from agentbench_lsp.server import pulled_diagnostics
from agentbench_lsp.server.app import create_server

DOCS = Path(__file__).resolve().parent


def pages() -> dict[str, str]:
    """Every generated page by its path below `docs`."""
    found = {f"rules/{code}.md": page(code) for code in documented_rules()}
    rows = [
        f"| [`{code}`]({code}.md) | {rule.severity.value} | {rule.title} |"
        for code, (rule, _) in documented_rules().items()
    ]
    table = "\n".join(["| code | severity | what it finds |", "|---|---|---|", *rows])
    found["rules/README.md"] = (
        f"# Diagnostics\n\nGenerated from the rules; `python3 dev.py docs` writes it anew.\n\n{table}\n"
    )
    parts = [f"## `{spec.type}`\n\n{oracle_markdown(spec)}" for spec in registered_specs().values()]
    head = "# Oracle types\n\nGenerated from the oracles; `python3 dev.py docs` writes it anew."
    found["oracles.md"] = "\n\n".join([head, *parts]) + "\n"
    found["features.md"] = features()
    return found


def features() -> str:
    """Every method that a client may send, and whether the server answers it."""
    server = create_server()
    pulled_diagnostics.register(server)
    manager = server.protocol.fm
    known = {*manager.features, *manager.builtin_features, types.CANCEL_REQUEST}
    rows = []
    for method in sorted(types.METHOD_TO_TYPES, key=str.lower):
        if types.message_direction(method) in ("clientToServer", "both"):
            handler = manager.features.get(method)
            where = f"`{handler.__module__.removeprefix('agentbench_lsp.')}`" if handler else ""
            if "pygls" in where or not where:
                where = "pygls" if method in known else ""
            rows.append(f"| `{method}` | {'yes' if method in known else 'no'} | {where} |")
    sent = [
        f"| `{method}` | {'yes' if _is_sent(method) else 'no'} |"
        for method in sorted(types.METHOD_TO_TYPES, key=str.lower)
        if types.message_direction(method) in ("serverToClient", "both")
    ]
    commands = [_told(name, manager.commands[name]) for name in sorted(manager.commands)]
    own = [_told(name, manager.features[name]) for name in sorted(manager.features) if name.startswith("agentbench/")]
    return (
        "# What the server answers and sends\n\nGenerated from the registered features and the server's source; "
        "`python3 dev.py docs` writes it anew.\n\n## Commands\n\n"
        "Of `workspace/executeCommand`, each with one argument; `evaluation.md` says more.\n\n"
        "| command | argument -> answer |\n|---|---|\n" + "\n".join(commands) + "\n\n## Messages of our own\n\n"
        "Nothing but a convenience depends on them.\n\n"
        "| method | params -> answer |\n|---|---|\n" + "\n".join(own) + "\n\n## From the client\n\n"
        "| method | answered | where |\n|---|---|---|\n"
        + "\n".join(rows)
        + "\n\n## From the server\n\n| method | sent |\n|---|---|\n"
        + "\n".join(sent)
        + "\n"
    )


def _told(name: str, handler: object) -> str:
    """A row with what a handler's docstring says."""
    doc = " ".join((handler.__doc__ or "").split()).replace("|", "\\|")
    return f"| `{name}` | {doc} |"


SERVER = "\n".join(
    path.read_text(encoding="utf-8") for path in (DOCS.parent / "agentbench_lsp" / "server").rglob("*.py")
)


def _is_sent(method: str) -> bool:
    """True where the server's source calls pygls' function for the method."""
    if method == types.WINDOW_WORK_DONE_PROGRESS_CREATE:
        return "work_done_progress.create_async(" in SERVER
    if method == types.PROGRESS:
        return "work_done_progress.report(" in SERVER
    name = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", method.replace("/", "_")).lower()
    return re.search(rf"\.{re.escape(name)}(_async)?\b", SERVER) is not None


if __name__ == "__main__":
    for name, content in pages().items():
        (DOCS / name).parent.mkdir(exist_ok=True)
        (DOCS / name).write_text(content, encoding="utf-8")

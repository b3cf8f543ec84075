"""Writes the settings of package.json: what docs/settings.md says, typed, with the rules by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agentbench_lsp.project.rule_pages import documented_rules

PACKAGE = Path(__file__).resolve().parent.parent / "package.json"
SEVERITIES = ["error", "warning", "information", "hint", "off"]


def settings() -> dict[str, Any]:
    """The properties of the configuration."""
    titles = {code: rule.title for code, (rule, _) in documented_rules().items()}
    codes, told = list(titles), list(titles.values())

    def switch(default: bool, text: str, scope: str = "window") -> dict[str, Any]:
        return {"type": "boolean", "default": default, "scope": scope, "markdownDescription": text}

    return {
        "agentbench.interpreter": {
            "type": "string",
            "default": "",
            "scope": "machine-overridable",
            "order": 1,
            "markdownDescription": "Python 3.11 or newer that runs the server and evaluates: a path, below the first "
            "workspace folder if it is relative (`.venv/bin/python`), or a name on the PATH. Empty: what the Python "
            "extension has chosen, else what is on the PATH.",
        },
        "agentbench.importStrategy": {
            "type": "string",
            "enum": ["useBundled", "fromEnvironment"],
            "enumDescriptions": ["The server of this extension.", "The server that is installed in the interpreter."],
            "default": "useBundled",
            "scope": "window",
            "order": 2,
            "description": "Where the language server comes from.",
        },
        "agentbench.sandbox": {
            "type": "string",
            "enum": ["off", "auto"],
            "enumDescriptions": [
                "Commands run with your rights.",
                "Commands run in bubblewrap where it works: no network, nothing writable but the workspace.",
            ],
            "default": "off",
            "scope": "window",
            "description": "How the commands of oracles are kept apart from this machine.",
        },
        "agentbench.evaluateOnSave": switch(
            False, "Evaluate a task when it or its trajectory is saved, with the trajectory used last or the likeliest."
        ),
        "agentbench.baselineOnSave": switch(
            False, "Check on saving what passes before the agent does anything, in tasks without commands."
        ),
        "agentbench.detectTasks": switch(
            True,
            "Give plain `.json` files that hold a task, a trajectory or a manifest the languages of this extension. "
            "Off: they stay JSON, and VS Code's JSON features answer beside the server.",
            "resource",
        ),
        "agentbench.inlayHints": switch(True, "Show default timeouts, and how often a pattern matches."),
        "agentbench.codeLenses": switch(True, "Offer to evaluate above `oracles`, and show the last verdict there."),
        "agentbench.workspaceDiagnostics": switch(True, "Check the task files that are not open, too."),
        "agentbench.severity": {
            "type": "object",
            "default": {},
            "scope": "window",
            "markdownDescription": "How severe each rule is; wins over the project's `[tool.agentbench.severity]`.",
            "additionalProperties": False,
            "properties": {
                code: {"type": "string", "enum": SEVERITIES, "description": title} for code, title in titles.items()
            },
        },
        "agentbench.ignoreRules": {
            "type": "array",
            "default": [],
            "scope": "window",
            "uniqueItems": True,
            "description": "Rules that are off.",
            "items": {"type": "string", "enum": codes, "enumDescriptions": told},
        },
        "agentbench.trace.server": {
            "type": "string",
            "enum": ["off", "messages", "verbose"],
            "default": "off",
            "scope": "window",
            "description": "Write the messages between VS Code and the server into the log.",
        },
    }


def main() -> None:
    """Write them."""
    package = json.loads(PACKAGE.read_text(encoding="utf-8"))
    package["contributes"]["configuration"]["properties"] = settings()
    PACKAGE.write_text(json.dumps(package, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""A task forbids the network, and a file of its workspace holds a text that `no_network` takes for network access.

## Why
The oracle judges what the agent writes. A step that writes the whole file again, or quotes the line in an edit, repeats
the text, and the oracle fails though the agent reached for nothing.

## Example
```json
"workspace": { "README.md": "See https://example.org" },
"oracles": [{ "type": "no_network" }]
```

## Fix
Take the text out of the files that the agent has to change. In other files it does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.structure import head
from agentbench_lsp.language.task_document import TaskDocument, content_of
from agentbench_lsp.models.paths import fold
from agentbench_lsp.oracles.no_network import first_sign

RULE = Rule("network-text-in-workspace", Severity.INFORMATION, "A workspace file would trip no_network", ("task",))
_MOST_NAMED = 3


def check(task: TaskDocument) -> Iterator[Finding]:
    """The first `no_network` oracle, where unprotected files hold such a text."""
    oracle = next((o for o in task.oracles if o.spec is not None and o.spec.type == "no_network"), None)
    if oracle is None or oracle.type_node is None:
        return
    protected = {
        fold(view.node.value) for view in task.params("workspace_path") if view.param.must_exist
    }  # the agent must not write them at all
    found = [
        (file.key.value, sign)
        for path, file in task.folded_files.items()
        if path not in protected and (sign := _sign(content_of(file) or ""))
    ]
    if found:
        names = ", ".join(f"{path} ({sign!r})" for path, sign in found[:_MOST_NAMED])
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        message = (
            f"held by the workspace: {names}{more}. A step that writes such a file whole (write_file), or quotes the"
            " line in an edit (old_string, new_string), fails this oracle"
        )
        yield RULE.at(*head(oracle.type_node), message)


@lru_cache(maxsize=2048)
def _sign(content: str) -> str | None:
    return first_sign(content)

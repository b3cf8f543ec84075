"""A manifest names a file outside of its folder.

## Why
A gate evaluates nothing outside the folder of the tasks, whatever a manifest says: it stops with an error.

## Example
```json
{ "task_files": ["../../other/task.json"] }
```

## Fix
Move the task, or make a manifest beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.manifest_document import ManifestDocument
from agentbench_lsp.models.paths import escapes, fold, is_absolute

RULE = Rule("manifest-escapes-folder", Severity.ERROR, "A manifest names a file outside of its folder", ("manifest",))


def check(manifest: ManifestDocument) -> Iterator[Finding]:
    """`task_files` must stay in the folder; `task_subset` may go one folder up, where manifests of several are."""
    for node in manifest.entries:
        if node.value and (is_absolute(node.value) or escapes(fold(node.value))):
            message = f"{node.value!r} is outside the folder of the tasks, so a gate refuses it"
            yield RULE.at(node.start, node.end, message)
    subset = manifest.subset
    if subset is None:
        return
    if is_absolute(subset.value):
        message = f"{subset.value!r} is outside the folder of the tasks, so a gate refuses it"
        yield RULE.at(subset.start, subset.end, message)
    elif fold(subset.value).startswith("../../"):
        message = f"{subset.value!r} is outside the folder of the tasks, unless `gate --tasks` names one that holds it"
        yield RULE.at(subset.start, subset.end, message, Severity.INFORMATION)

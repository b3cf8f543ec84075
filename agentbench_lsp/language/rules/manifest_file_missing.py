"""A manifest names a file that is not there.

## Why
A gate stops at it with an error. Names are relative to the folder of the tasks, which is the manifest's own unless
`agentbench gate --tasks` names another one.

## Example
```json
{ "task_files": ["01_fix_ad.json"] }
```

## Fix
Correct the name; completion offers the task files of the folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from agentbench_lsp.language.edits import json_text
from agentbench_lsp.language.finding import Finding, Rule, Severity, replace
from agentbench_lsp.language.manifest_document import ManifestDocument
from agentbench_lsp.models.paths import escapes, fold, is_absolute
from agentbench_lsp.syntax.nodes import StringNode

RULE = Rule("manifest-file-missing", Severity.ERROR, "A manifest names a file that is not there", ("manifest",))


def check(manifest: ManifestDocument) -> Iterator[Finding]:
    """`task_subset` and `task_files`. Where no name at all is found, the tasks are most likely elsewhere."""
    subset = manifest.subset
    if subset is not None:
        target = subset.value.replace("\\", "/")
        if manifest.around.exists(target) is False:
            from_above = manifest.around.exists(f"../{target}")  # other tools read it relative to the project
            yield _finding(manifest, subset, Severity.INFORMATION if from_above else Severity.ERROR)
        return
    names = [n for n in manifest.entries if n.value and not is_absolute(n.value) and not escapes(fold(n.value))]
    if manifest.around.exists(manifest.around.name or ".") is None:
        return
    there = [manifest.find(name.value) for name in names]
    severity = Severity.ERROR if any(there) else Severity.INFORMATION
    for name, path in zip(names, there, strict=True):
        if path is None:
            yield _finding(manifest, name, severity)


def _finding(manifest: ManifestDocument, node: StringNode, severity: Severity) -> Finding:
    near = get_close_matches(node.value, list(manifest.around.neighbours().files), n=1, cutoff=0.6)
    message = f"there is no file {node.value!r} beside this manifest"
    fixes = [replace(node.start, node.end, json_text(near[0]), f"Write {near[0]}")] if near else []
    return RULE.at(node.start, node.end, message + (f"; did you mean {near[0]!r}?" if near else ""), severity, fixes)

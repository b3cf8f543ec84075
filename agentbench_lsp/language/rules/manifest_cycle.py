"""`task_subset` leads back to a manifest that was already read.

## Why
There is no list of tasks at the end, so a gate stops with an error.

## Example
`a.json` with
```json
{ "task_subset": "a.json" }
```

## Fix
Name a manifest with `task_files`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from agentbench_lsp.language.finding import Finding, Rule, Severity
from agentbench_lsp.language.manifest_document import ManifestDocument

RULE = Rule("manifest-cycle", Severity.ERROR, "A manifest refers to itself", ("manifest",))


def check(manifest: ManifestDocument) -> Iterator[Finding]:
    """Follow `task_subset` from manifest to manifest."""
    start, current, folder = manifest.subset, manifest, ""
    seen = [manifest.around.name]
    while start is not None and current.subset is not None:
        path = posixpath.normpath(posixpath.join(folder, current.subset.value.replace("\\", "/")))
        if path in seen:
            message = f"task_subset comes back to {path}: {' → '.join([*seen, path])}"
            yield RULE.at(start.start, start.end, message)
            return
        seen.append(path)
        document = manifest.around.document(path)
        if document is None or document.kind != "manifest":
            return
        current, folder = ManifestDocument(document, manifest.specs), posixpath.dirname(path)

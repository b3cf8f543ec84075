"""Manifests: which task files a gate evaluates."""

from __future__ import annotations

import json
from pathlib import Path

from agentbench_lsp.dsl.errors import ValidationError
from agentbench_lsp.dsl.loading import load_manifest_document
from agentbench_lsp.models.paths import escapes, fold, is_absolute

GATE_MANIFEST = "manifest_pass.json"  # the seed's name for the manifest beside the tasks


class ManifestError(ValueError):
    """A manifest that selects nothing that may be evaluated. The message names the file and the fault."""


def selected_names(manifest: Path, tasks_dir: Path) -> list[str]:
    """Names of the task files a manifest selects, relative to `tasks_dir`, in its order, each once.

    `task_subset` names another manifest, relative to the one it stands in, and wins over `task_files`. Raises
    ManifestError for anything unreadable, a cycle, and names that leave their folder.
    """
    allowed = (tasks_dir.resolve().parent, manifest.resolve().parent)
    seen: list[Path] = []
    current = manifest
    while True:
        resolved = current.resolve()
        if resolved in seen:
            raise ManifestError(f"{current}: task_subset comes back to a manifest that was already read")
        seen.append(resolved)
        document = _load(current)
        subset = document.get("task_subset")
        if not isinstance(subset, str) or not subset:
            return _names(current, document.get("task_files"), tasks_dir)
        target = current.parent / subset.replace("\\", "/")
        if not any(target.resolve().is_relative_to(folder) for folder in allowed):
            raise ManifestError(f"{current}: task_subset {subset!r} is outside the folder of the tasks")
        current = target


def _load(path: Path) -> dict[str, object]:
    try:
        return load_manifest_document(path)
    except OSError as exc:
        raise ManifestError(f"{path}: cannot be read: {exc.strerror or exc}") from None
    except UnicodeDecodeError as exc:
        raise ManifestError(f"{path}: is not UTF-8 text (byte {exc.start})") from None
    except json.JSONDecodeError as exc:
        raise ManifestError(f"{path}:{exc.lineno}:{exc.colno}: not valid JSON: {exc.msg}") from None
    except ValidationError as exc:
        raise ManifestError(f"{path}: {exc}") from None


def _names(manifest: Path, names: object, tasks_dir: Path) -> list[str]:
    if not isinstance(names, list) or not names:
        raise ManifestError(f"{manifest}: task_files is empty, so there is nothing to evaluate")
    root = tasks_dir.resolve()
    found: dict[str, None] = {}
    for name in names:
        folded = fold(str(name))
        outside = is_absolute(str(name)) or escapes(folded) or not (root / folded).resolve().is_relative_to(root)
        if outside:
            raise ManifestError(f"{manifest}: {name!r} leaves the folder of the tasks ({tasks_dir})")
        found[folded] = None
    return list(found)

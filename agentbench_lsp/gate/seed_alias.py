"""`agentbench.*` as a name of this package, so that oracles written for the seed run here unchanged."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_SEED, _OURS = "agentbench", "agentbench_lsp"


class _AliasLoader(Loader):
    def __init__(self, target: str) -> None:
        self._target = target

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        # The import system hands out what stands in sys.modules: the very module, so that classes are the same.
        sys.modules[module.__name__] = importlib.import_module(self._target)


class _AliasFinder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _SEED and not fullname.startswith(_SEED + "."):
            return None
        ours = _OURS + fullname[len(_SEED) :]
        try:
            found = importlib.util.find_spec(ours)
        except ModuleNotFoundError:
            return None
        return ModuleSpec(fullname, _AliasLoader(ours), is_package=True) if found else None


def install() -> None:
    """Let `import agentbench…` give this package. An installed `agentbench` stays what it is."""
    if _SEED not in sys.modules and PathFinder.find_spec(_SEED) is None:
        # First: our own folders, found by their path, would be loaded a second time under the other name.
        sys.meta_path.insert(0, _AliasFinder())

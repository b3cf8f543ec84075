"""Runs a module of this package with whatever interpreter starts this file: `python bootstrap.py MODULE FALLBACK`.

The interpreter of a project need not have this package, so it is found here, and never a copy of another version.
`FALLBACK` is a folder where jsonschema is found if the interpreter has none. Nothing else is borrowed from there: what
a project's oracles may import is what its interpreter has. This file must run on Pythons that the package does not.
"""

import json
import os
import sys
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_BORROWED = ("jsonschema", "jsonschema_specifications", "referencing", "rpds", "attr", "attrs", "typing_extensions")
_PACKAGE = "agentbench_lsp"


class _Finder:
    """Finds some top-level packages in one folder."""

    def __init__(self, folder: str, names: "Sequence[str]") -> None:
        self._folder, self._names = folder, names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """See `importlib.abc.MetaPathFinder`."""
        return PathFinder.find_spec(name, [self._folder], target) if path is None and name in self._names else None


def main() -> None:
    """Set up the imports and run the module's `main`."""
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    if sys.path and os.path.abspath(sys.path[0] or ".") == here:  # noqa: PTH100
        del sys.path[0]
    if sys.version_info < (3, 11):  # noqa: UP036
        version = ".".join(map(str, sys.version_info[:3]))
        message = "%s is Python %s; evaluating needs 3.11 or newer" % (sys.executable, version)  # noqa: UP031
        sys.stdout.write(json.dumps({"event": "error", "message": message, "document": None}) + "\n")
        sys.exit(2)
    module, fallback = sys.argv[1:3]
    del sys.argv[1:3]
    sys.meta_path.insert(0, _Finder(os.path.dirname(os.path.dirname(os.path.dirname(here))), (_PACKAGE,)))  # noqa: PTH120
    sys.meta_path.append(_Finder(fallback, _BORROWED))
    import_module(module).main()


if __name__ == "__main__":
    main()

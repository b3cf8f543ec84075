"""Importing custom oracles. Only the oracle host does this."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

from agentbench_lsp.oracles.base import OracleCheck, get_oracle, register_oracle

_loaded: set[str] = set()


def load_oracle(oracle_type: str, file: str | None, entry_point: str | None) -> OracleCheck:
    """The check for a type out of a Python file or an entry point. Raises what its module raises, ValueError."""
    source = file or entry_point or ""
    if source not in _loaded:
        if file:
            _import_file(Path(file))
        elif entry_point:
            _import_entry_point(entry_point)
        _loaded.add(source)
    return get_oracle(oracle_type)


def _import_file(path: Path) -> None:
    name = f"_agentbench_oracles_{abs(hash(str(path))):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look their module up there
    sys.path.insert(0, str(path.parent))  # so that it can import its neighbours
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(str(path.parent))


def _import_entry_point(value: str) -> None:
    module_name, _, attribute = value.partition(":")
    target: object = importlib.import_module(module_name.strip())
    for part in filter(None, attribute.strip().split(".")):
        target = getattr(target, part)
    if isinstance(target, type) and issubclass(target, OracleCheck):
        register_oracle(target)

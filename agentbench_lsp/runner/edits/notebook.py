"""Cells of a Jupyter notebook are replaced, inserted, deleted: NotebookEdit, edit_notebook_file."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from agentbench_lsp.runner.edits.base import Changed, FileEdit, NotAppliedError, encode, existing

_NUMBERED = re.compile(r"(?:cell-)?(\d+)")


@dataclass(frozen=True, slots=True)
class CellEdit(FileEdit):
    """`cell` is a cell's id, `cell-N` or N (from 0), `TOP` or `BOTTOM`; None is the top. Cells go in after it."""

    cell: str | None
    mode: Literal["replace", "insert", "delete"]
    source: str = ""
    cell_type: str | None = None

    def change(self, old: bytes | None) -> Changed:
        content = existing(old)
        try:
            notebook = json.loads(content)
            cells = notebook["cells"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise NotAppliedError("the file is no Jupyter notebook") from None
        if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
            raise NotAppliedError("the notebook's cells are no list of objects")
        encode(self.source, "new_source")
        if self.mode == "insert":
            cells.insert(self._insert_at(cells), self._new_cell(notebook, len(cells)))
        elif self.mode == "delete":
            del cells[self._index(cells)]
        else:
            self._replace(cells[self._index(cells)])
        return Changed(_dump(notebook, content))

    def _insert_at(self, cells: list[dict[str, Any]]) -> int:
        if self.cell is None or self.cell == "TOP":
            return 0
        return len(cells) if self.cell == "BOTTOM" else self._index(cells) + 1

    def _index(self, cells: list[dict[str, Any]]) -> int:
        for i, cell in enumerate(cells):
            if self.cell is not None and cell.get("id") == self.cell:
                return i
        number = _NUMBERED.fullmatch(self.cell or "")
        if number and int(number[1]) < len(cells):
            return int(number[1])
        raise NotAppliedError(f"the notebook has no cell {self.cell!r}")

    def _replace(self, cell: dict[str, Any]) -> None:
        cell["source"] = self.source
        if self.cell_type:
            cell["cell_type"] = self.cell_type
        if cell.get("cell_type") == "code":
            cell["execution_count"], cell["outputs"] = None, []

    def _new_cell(self, notebook: dict[str, Any], count: int) -> dict[str, Any]:
        kind = self.cell_type or "code"
        cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": self.source}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        if (notebook.get("nbformat"), notebook.get("nbformat_minor", 0)) >= (4, 5):
            # Agents make random ids; the same replay has to make the same file.
            cell["id"] = hashlib.sha256(f"{count}:{self.source}".encode()).hexdigest()[:8]
        return cell

    @property
    def text(self) -> str:
        return self.source


def _dump(notebook: dict[str, Any], old: bytes) -> bytes:
    indent = re.match(rb"\{\r?\n([ \t]+)", old)
    text = json.dumps(notebook, ensure_ascii=False, indent=indent[1].decode() if indent else 1)
    return (text + ("\n" if old.endswith(b"\n") else "")).encode("utf-8", "surrogatepass")

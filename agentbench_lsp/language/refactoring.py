"""What a refactoring is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbench_lsp.language.finding import Edit

RefactoringKind = Literal["refactor", "refactor.extract", "refactor.rewrite"]


@dataclass(frozen=True, slots=True)
class Refactoring:
    """A change that is offered for a selection. Edits do not overlap."""

    title: str
    kind: RefactoringKind
    edits: tuple[Edit, ...]

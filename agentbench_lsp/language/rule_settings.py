"""Which severity each rule has here: from `[tool.agentbench]`, from the editor's settings, from the file itself."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

from agentbench_lsp.language.finding import Finding, Severity
from agentbench_lsp.language.view import DocumentView
from agentbench_lsp.syntax.nodes import ArrayNode, StringNode

OFF = "off"
IGNORE_FIELD = "ignore_rules"  # of a document: codes that are silent in it
LEVELS = (*(s.value for s in Severity), OFF)


@dataclass(frozen=True)
class RuleSettings:
    """`severity`: word by code. `per_file`: glob of a path below the project -> codes that are silent there."""

    severity: Mapping[str, str] = field(default_factory=dict)
    per_file: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    select: tuple[str, ...] = ()  # only these codes; empty for all
    ignore: tuple[str, ...] = ()

    def over(self, other: RuleSettings) -> RuleSettings:
        """These settings, and the other's where these say nothing."""
        return replace(
            self,
            severity={**other.severity, **self.severity},
            per_file={**other.per_file, **self.per_file},
            select=self.select or other.select,
            ignore=(*self.ignore, *other.ignore),
        )

    def silent(self, path: str, view: DocumentView) -> frozenset[str]:
        """Codes that are silent in a document; `path` is relative to the project, with forward slashes."""
        codes = {*self.ignore, *(code for code, word in self.severity.items() if word == OFF)}
        for glob, silenced in self.per_file.items():
            if fnmatchcase(path, glob) or fnmatchcase(path, f"*/{glob}"):
                codes.update(silenced)
        return frozenset(codes | ignored_here(view))

    def apply(self, findings: Iterable[Finding], path: str, view: DocumentView) -> list[Finding]:
        """What is left of the findings, with their severities."""
        silent = self.silent(path, view)
        kept = []
        for finding in findings:
            if finding.code in silent or (self.select and finding.code not in self.select):
                continue
            word = self.severity.get(finding.code)
            kept.append(replace(finding, severity=Severity(word)) if word else finding)
        return kept


NO_SETTINGS = RuleSettings()


def ignored_here(view: DocumentView) -> set[str]:
    """Codes in the document's own `ignore_rules`."""
    node = view.field(IGNORE_FIELD)
    items = node.items if isinstance(node, ArrayNode) else []
    return {item.value for item in items if isinstance(item, StringNode)}


def read_severities(value: Any, known: Container[str] | Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """The usable part of a `{code: severity}` table, and what is wrong with the rest."""
    codes = list(known) if isinstance(known, Iterable) else []
    if not isinstance(value, Mapping):
        return {}, [f"severity must be a table of rule codes, not {value!r}"] if value is not None else []
    good, problems = {}, []
    for code, word in value.items():
        if code not in codes:
            problems.append(unknown_code(code, codes))
        elif word not in LEVELS:
            problems.append(f"severity of {code} must be one of {', '.join(LEVELS)}, not {word!r}")
        else:
            good[code] = word
    return good, problems


def unknown_code(code: str, codes: Iterable[str]) -> str:
    """What to say of a code that no rule has."""
    near = get_close_matches(str(code), list(codes), n=1, cutoff=0.6)
    return f"no rule has the code {code!r}" + (f"; did you mean {near[0]!r}?" if near else "")

"""The rule settings that a project's `[tool.agentbench]` table holds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from agentbench_lsp.dsl.project import Project, ProjectError
from agentbench_lsp.language.rule_settings import RuleSettings, read_severities, unknown_code
from agentbench_lsp.project.rule_pages import documented_rules


def project_rules(project: Project) -> RuleSettings:
    """Raises ProjectError for a code or a severity that does not exist."""
    codes = documented_rules()
    severity, problems = read_severities(project.severity, codes)
    for silenced in project.per_file_ignores.values():
        problems += [unknown_code(code, codes) for code in silenced if code not in codes]
    if problems:
        raise ProjectError(f"{project.file}: [tool.agentbench] {problems[0]}")
    return RuleSettings(severity, dict(project.per_file_ignores))


@cache
def relative_path(path: Path, root: Path | None) -> str:
    """The path that globs of `per-file-ignores` are compared with."""
    absolute = path.absolute()
    if root is not None and absolute.is_relative_to(root):
        return absolute.relative_to(root).as_posix()
    return absolute.name

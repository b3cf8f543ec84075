"""Code actions: fixes, fix all, refactorings."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from agentbench_lsp.language.code_actions import FIX_ALL, Action, code_actions
from agentbench_lsp.server import convert
from agentbench_lsp.server.app import AgentBenchServer
from agentbench_lsp.server.request import Subject, subject
from agentbench_lsp.server.verdict_actions import verdict_actions
from agentbench_lsp.server.verdict_diagnostics import verdict_findings

_KINDS = [
    types.CodeActionKind.QuickFix,
    types.CodeActionKind.Refactor,
    types.CodeActionKind.RefactorExtract,
    types.CodeActionKind.RefactorRewrite,
    FIX_ALL,
]


def register(server: AgentBenchServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=_KINDS))
    def offer(params: types.CodeActionParams) -> list[types.CodeAction]:
        found = subject(server, params.text_document)
        if found is None or not server.client.code_action_literals:
            return []
        findings = [*server.analysis.findings(found.opened), *verdict_findings(server, found.opened, found.view)]
        wanted = params.context.only
        actions = code_actions(found.view, findings, *found.offsets(params.range))
        made = [_action(found, action, params.context) for action in actions if _is_wanted(action.kind, wanted)]
        if _is_wanted(types.CodeActionKind.QuickFix.value, wanted):
            made += verdict_actions(server, found, *found.offsets(params.range))
        return made


def _is_wanted(kind: str, wanted: Sequence[types.CodeActionKind | str] | None) -> bool:
    """`source` ones only where they are asked for: they are no answer to "what can I do here"."""
    if not wanted:
        return not kind.startswith("source")
    names = [str(w.value if isinstance(w, types.CodeActionKind) else w) for w in wanted]
    return any(kind == name or kind.startswith(f"{name}.") or name == "" for name in names)


def _action(found: Subject, action: Action, context: types.CodeActionContext) -> types.CodeAction:
    edits = convert.text_edits(found.document, action.edits, found.encoding)
    made = types.CodeAction(
        title=action.title,
        kind=action.kind,
        edit=convert.workspace_edit(found.opened.uri, found.opened.version, edits, found.server.client),
        is_preferred=action.preferred or None,
    )
    if action.finding is not None:
        where = found.range(action.finding.start, action.finding.end)
        given = (d for d in context.diagnostics if d.range == where and d.code == action.finding.code)
        own = convert.diagnostic(found.document, action.finding, found.encoding, found.server.client, found.opened.uri)
        made.diagnostics = [next(given, own)]
    return made

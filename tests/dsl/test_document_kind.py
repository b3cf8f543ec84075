"""Which JSON is ours. Of everything else nothing is said at all."""

from __future__ import annotations

import json

import pytest

from agentbench_lsp.language.diagnostics import diagnose
from agentbench_lsp.language.document import Document
from agentbench_lsp.oracles.base import registered_specs

FOREIGN = {
    ".vscode/tasks.json": '{"version": "2.0.0", "tasks": [{"label": "x", "type": "shell", "command": "make"}]}',
    ".vscode/launch.json": '{"version": "0.2.0", "configurations": [{"type": "node", "request": "launch"}]}',
    ".vscode/settings.json": '{ // comment\n "editor.tabSize": 2, }',
    "package.json": '{"name": "x", "description": "d", "workspaces": ["a"], "scripts": {}}',
    "package-lock.json": '{"name": "x", "lockfileVersion": 3, "packages": {}}',
    "tsconfig.json": '{ /* c */ "compilerOptions": {"strict": true}, }',
    "composer.json": '{"name": "a/b", "require": {}}',
    "workflow.json": '{"name": "ci", "on": "push", "jobs": {"a": {"steps": [{"run": "x"}]}}}',
    "pipeline.json": '{"steps": [{"label": "x", "command": "make"}], "env": {}}',
    "recipe.json": '{"title": "Cake", "ingredients": [], "steps": ["mix"]}',
    "app.code-workspace.json": '{"folders": [{"path": "."}], "settings": {}}',
    "openapi.json": '{"openapi": "3.1.0", "info": {}, "paths": {}, "tags": []}',
    "schema.json": '{"$schema": "x", "type": "object", "properties": {"oracles": 1}}',
    "broken.json": '{"a": [1, 2,, }',
    "list.json": "[1, 2, 3]",
    "empty.json": "",
    "data/users.json": '{"id": 1, "name": "x", "prompt": "hello"}',
    "devcontainer.json": '{"image": "x", "workspaceFolder": "/w"}',
    "renovate.json": '{"extends": ["x"]}',
}


@pytest.mark.parametrize("path", FOREIGN)
def test_other_json_gets_no_diagnostics(path: str) -> None:
    document = Document(FOREIGN[path], f"/home/me/project/{path}")
    assert document.kind is None
    assert diagnose(document, registered_specs()) == []


TASK = '{"id": "x", "oracles": [], "workspace": {}}'


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("anything.json", TASK, "task"),
        ("x.trajectory.json", TASK, "task"),  # content comes first
        ("x.json", '{"oracles": ', "task"),
        ("x.json", '{"prompt": "p", "workspace": {}', "task"),
        ("x.json", '{"steps": [], "metadata": {}}', "trajectory"),
        ("x.json", '{"steps": [{}]}', "trajectory"),
        ("x.json", '{"task_files": []}', "manifest"),
        ("x.json", '{"task_subset": "a.json"}', "manifest"),
        ("x.task.json", "", "task"),
        ("x.task.json", "{", "task"),
        ("tasks/x.json", "{}", "task"),
        ("tasks/manifest_pass.json", "{}", "manifest"),
        ("x.trajectory.json", "{}", "trajectory"),
        ("tasks/trajectories/x.json", "{}", "trajectory"),
        ("x.manifest.json", "{}", "manifest"),
        ("tasks/.x.json", "{}", None),
        ("tasks/package.json", "{}", None),
        ("x.json", "{}", None),
    ],
)
def test_content_first_then_the_name(path: str, text: str, kind: str | None) -> None:
    assert Document(text, path).kind == kind


def test_a_trajectory_with_everything_a_recorder_writes() -> None:
    text = json.dumps({"steps": [{"type": "tool_call"}], "metadata": {"agent": "a"}, "extra": 1})
    assert Document(text, "recording.json").kind == "trajectory"

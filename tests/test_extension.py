"""The extension's manifest says what the server and the documentation say."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from types import ModuleType
from typing import Any

import agentbench_lsp
from agentbench_lsp.server.app import create_server
from tests.conftest import ROOT

EXTENSION = ROOT / "vscode-extension"
PACKAGE: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
CONTRIBUTES = PACKAGE["contributes"]
PROPERTIES: dict[str, Any] = CONTRIBUTES["configuration"]["properties"]
LOCK = (EXTENSION / "scripts" / "requirements.txt").read_text(encoding="utf-8")
OWN_SETTINGS = {"importStrategy", "detectTasks", "trace.server"}  # which the server does not know
OTHER_EDITORS = {"syntaxErrors"}  # which VS Code needs no setting for


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXTENSION / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_extension_and_the_server_have_one_version() -> None:
    assert PACKAGE["version"] == agentbench_lsp.__version__


def test_the_settings_are_generated_and_up_to_date() -> None:
    assert script("settings").settings() == PROPERTIES, "python vscode-extension/scripts/settings.py writes them anew"


def test_the_documented_settings_are_those_of_the_extension() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert {name.removeprefix("agentbench.") for name in PROPERTIES} - OWN_SETTINGS == documented - OTHER_EDITORS


def test_what_runs_something_is_restricted() -> None:
    restricted = PACKAGE["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) <= PROPERTIES.keys()
    assert {f"agentbench.{name}" for name in ("interpreter", "importStrategy", "sandbox", "evaluateOnSave")} <= set(
        restricted
    )


def test_no_command_has_the_name_of_a_server_command() -> None:
    """VS Code's client registers those itself, and a second registration would fail."""
    contributed = {command["command"] for command in CONTRIBUTES["commands"]}
    assert not contributed & set(create_server().protocol.fm.commands)


def test_commands_in_menus_and_keys_are_contributed() -> None:
    contributed = {command["command"] for command in CONTRIBUTES["commands"]}
    used = {item["command"] for items in CONTRIBUTES["menus"].values() for item in items}
    used |= {key["command"] for key in CONTRIBUTES["keybindings"]}
    assert used <= contributed


def test_commands_on_tasks_stay_away_from_other_json() -> None:
    anywhere = {"newTask", "selectInterpreter", "restartServer", "showLogs"}
    conditions = {item["command"]: item.get("when") for item in CONTRIBUTES["menus"]["commandPalette"]}
    for command in CONTRIBUTES["commands"]:
        name = command["command"].removeprefix("agentbench.")
        assert (name in anywhere) != bool(conditions.get(command["command"])), name


def test_the_lock_files_hold_no_addresses() -> None:
    assert "://" not in LOCK
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert "://" not in json.dumps(lock)
    assert not any("resolved" in package for package in lock["packages"].values())


def test_everything_the_server_needs_is_bundled_and_pinned_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.]+) ", LOCK, re.MULTILINE))
    for line in project["project"]["dependencies"]:
        name, exactly, version = re.fullmatch(r"([\w-]+)(?:(==)|[^=]*)(.*)", line).groups()  # type: ignore[union-attr]
        if name in script("bundle").NOT_BUNDLED:
            assert name not in pinned, line
            continue
        assert name in pinned, line
        assert not exactly or pinned[name] == version, line
    for block in re.split(r"\n(?=\w)", LOCK.strip()):
        assert "--hash=sha256:" in block, block.splitlines()[0]


def test_every_picture_and_file_that_is_named_is_there() -> None:
    readme = (EXTENSION / "README.md").read_text(encoding="utf-8")
    named = [PACKAGE["icon"], *re.findall(r"\]\((images/[^)]+)\)", readme)]
    named += [language["configuration"] for language in CONTRIBUTES["languages"]]
    named += [grammar["path"] for grammar in CONTRIBUTES["grammars"]]
    named += [step["media"]["markdown"] for step in CONTRIBUTES["walkthroughs"][0]["steps"]]
    assert [name for name in named if not (EXTENSION / name).is_file()] == []


def test_the_readme_gives_a_reason_for_every_dependency() -> None:
    readme = (EXTENSION / "README.md").read_text(encoding="utf-8")
    editor = json.loads((EXTENSION / "test" / "editor" / "package.json").read_text(encoding="utf-8"))
    wanted = {*PACKAGE["dependencies"], *PACKAGE["devDependencies"], *editor["dependencies"]}
    table = readme[readme.index("| dependency |") :]
    assert wanted <= set(re.findall(r"`([@\w/-]+)`", table))


def test_versions_of_npm_packages_are_exact() -> None:
    editor = json.loads((EXTENSION / "test" / "editor" / "package.json").read_text(encoding="utf-8"))
    for versions in (PACKAGE["dependencies"], PACKAGE["devDependencies"], editor["dependencies"]):
        assert all(re.fullmatch(r"[\d.]+", version) for version in versions.values()), versions

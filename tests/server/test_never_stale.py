"""What was found is shown as long as it holds, wherever its oracle stands, and not a moment longer."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from lsprotocol import types

from tests.helpers.bench import Bench
from tests.helpers.build import exists, must_pass, save, unmodified, write
from tests.helpers.raw_client import uri_of

STEPS = [write("a.txt", "beta\n"), write("b.txt", "x")]
FAILED, STEP = "oracle-failed", "step-broke-oracle"


@pytest.fixture
async def failed(bench: Bench) -> Bench:
    """Two oracles that fail because of the same step."""
    bench.set_up(exists("a.txt", "alpha"), unmodified("a.txt"), steps=STEPS)
    await bench.evaluate()
    await bench.shown(bench.task, FAILED, FAILED)
    await bench.shown(bench.trajectory, STEP, STEP)
    return bench


async def test_results_follow_their_oracle_while_the_author_edits_elsewhere(failed: Bench) -> None:
    failed.change(failed.task, "\n\n" + failed.texts[failed.task].replace('"name": "n"', '"name": "another"'))
    found = await failed.shown(failed.task, FAILED, FAILED)
    assert [failed.marked(failed.task, d) for d in found] == ['"alpha"', '"a.txt"']
    task = json.loads(failed.texts[failed.task])
    task["oracles"].reverse()
    failed.change(failed.task, json.dumps(task, indent=4))
    found = await failed.shown(failed.task, FAILED, FAILED)
    assert sorted(failed.marked(failed.task, d) for d in found) == ['"a.txt"', '"alpha"']
    await failed.shown(failed.trajectory, STEP, STEP)


async def test_a_changed_oracle_loses_its_result_and_no_other(failed: Bench) -> None:
    failed.replace(failed.task, '"pattern": "alpha"', '"pattern": "alphabet"')
    (left,) = await failed.shown(failed.task, FAILED)
    assert failed.marked(failed.task, left) == '"a.txt"'
    await failed.shown(failed.trajectory, STEP)
    failed.replace(failed.task, "alphabet", "alpha")
    await failed.shown(failed.task, FAILED, FAILED)


async def test_a_changed_workspace_ends_them_all(failed: Bench) -> None:
    failed.replace(failed.task, "alpha\\n", "alpha \\n")
    await failed.shown(failed.task)
    await failed.shown(failed.trajectory)


async def test_a_command_depends_on_the_commands_before_it(bench: Bench) -> None:
    bench.set_up(must_pass("touch made"), must_pass("test ! -e made"), exists("a.txt", "alpha"), steps=STEPS)
    await bench.evaluate()
    await bench.shown(bench.task, FAILED, FAILED, "passes-with-warning")
    bench.replace(bench.task, "touch made", "touch other")
    (left,) = await bench.shown(bench.task, FAILED)
    assert bench.marked(bench.task, left) == '"alpha"'


async def test_the_trajectory_may_be_written_otherwise_but_not_say_something_else(failed: Bench) -> None:
    failed.change(failed.trajectory, json.dumps({"metadata": {"agent": "x"}, "steps": STEPS}))
    await failed.shown(failed.trajectory, STEP, STEP)
    await failed.shown(failed.task, FAILED, FAILED)
    failed.change(failed.trajectory, json.dumps({"steps": STEPS[1:]}))
    await failed.shown(failed.trajectory)
    await failed.shown(failed.task)


async def test_they_survive_closing_and_opening(failed: Bench) -> None:
    text = failed.texts[failed.task]
    failed.close(failed.task)
    await failed.shown(failed.task)
    failed.open(failed.task, text)
    await failed.shown(failed.task, FAILED, FAILED)
    failed.close(failed.task)
    failed.open(failed.task, text.replace("alpha", "omega"))
    await failed.shown(failed.task)


@pytest.mark.parametrize("is_told", [True, False], ids=["watched", "not watched"])
async def test_a_trajectory_that_changes_on_disk(bench: Bench, is_told: bool) -> None:
    path = save(bench.folder / "disk.json", {"steps": STEPS})
    bench.set_up(unmodified("a.txt"))
    await bench.evaluate(trajectory=uri_of(path))
    await bench.shown(bench.task, FAILED)
    save(path, {"steps": STEPS, "metadata": {"agent": "the same steps"}})
    changed(bench, path, is_told)
    await bench.round_trip()
    await bench.shown(bench.task, FAILED)
    save(path, {"steps": []})
    changed(bench, path, is_told)
    await bench.shown(bench.task)


def changed(bench: Bench, path: Path, is_told: bool) -> None:
    """The client says what changed, or at least edits something else."""
    if is_told:
        event = types.FileEvent(uri_of(path), types.FileChangeType.Changed)
        bench.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    else:
        bench.change(bench.task, bench.texts[bench.task] + "\n")


async def test_a_custom_oracle_that_changes(bench: Bench) -> None:
    (bench.folder / "pyproject.toml").write_text('[tool.agentbench]\noracles = ["o.py"]\n')
    code = (
        "from agentbench.models.task import OracleResult\n"
        "from agentbench.oracles.base import OracleCheck, register_oracle\n"
        "@register_oracle\n"
        "class Own(OracleCheck):\n"
        "    oracle_type = 'own'\n"
        "    params = ()\n"
        "    def check(self, *_):\n"
        "        return OracleResult('own', VERDICT, 'so it is')\n"
    )
    path = bench.folder / "o.py"
    path.write_text(code.replace("VERDICT", "False"))
    bench.set_up({"type": "own"}, steps=STEPS)
    assert not (await bench.evaluate())[0]["passed"]
    await bench.shown(bench.task, FAILED)
    path.write_text(code.replace("VERDICT", "True"))
    os.utime(path, (1, 1))
    changed(bench, path, is_told=True)
    await bench.shown(bench.task)
    assert (await bench.evaluate())[0]["passed"]


async def test_static_diagnostics_neither_move_nor_go(bench: Bench) -> None:
    bench.set_up(exists("a.txt", "alpha"), exists("a.txt", "("), {"type": "no_netwrk"}, steps=STEPS)
    static = await bench.shown(bench.task, "invalid-regex", "unknown-oracle-type")
    with pytest.raises(Exception, match="unknown oracle type"):
        await bench.evaluate()
    assert await bench.shown(bench.task, "invalid-regex", "unknown-oracle-type") == static
    bench.replace(bench.task, "no_netwrk", "no_network")
    static = await bench.shown(bench.task, "invalid-regex")
    await bench.evaluate()
    found = await bench.shown(bench.task, "invalid-regex", FAILED, FAILED)
    assert [d for d in found if d.code == "invalid-regex"] == static


async def test_one_oracle_alone_keeps_what_is_known_of_the_others(failed: Bench) -> None:
    (result,) = await failed.evaluate(oracle=0)
    assert result["index"] == 0
    await failed.shown(failed.task, FAILED, FAILED)


async def test_one_oracle_alone_after_they_have_changed_places(failed: Bench) -> None:
    task = json.loads(failed.texts[failed.task])
    task["oracles"].reverse()
    failed.change(failed.task, json.dumps(task, indent=2))
    await failed.shown(failed.task, FAILED, FAILED)
    await failed.evaluate(oracle=0)
    found = await failed.shown(failed.task, FAILED, FAILED)
    assert sorted(failed.marked(failed.task, d) for d in found) == ['"a.txt"', '"alpha"']


async def test_another_trajectory_takes_the_place_of_the_first(failed: Bench) -> None:
    other = uri_of(failed.folder / "other.trajectory.json")
    failed.open(other, {"steps": STEPS[1:]})
    await failed.evaluate(trajectory=other)
    await failed.shown(failed.task)
    await failed.shown(failed.trajectory)

/** Which Python is taken, and what is said where there is none. */

import assert from "node:assert/strict";
import * as os from "node:os";
import * as path from "node:path";
import { describe, it } from "node:test";
import { expand, findInterpreter, knownInterpreters, NoInterpreterError } from "../../src/server/interpreter";

/** Pythons by path; others are not there. */
function machine(pythons: Record<string, number[]>): (candidate: string) => Promise<{ path: string; version: number[] }> {
  return (candidate) => {
    const version = pythons[candidate];
    return version === undefined ? Promise.reject(new Error("is not there")) : Promise.resolve({ path: candidate, version });
  };
}

const nothing = { setting: "", folder: undefined, chosen: undefined };

describe("finding a Python", () => {
  it("takes the setting before all, the Python extension's before the PATH's", async () => {
    const probe = machine({ "/a": [3, 12, 0], "/b": [3, 11, 0], python3: [3, 14, 1] });
    assert.deepEqual(await findInterpreter({ ...nothing, setting: "/a", chosen: "/b" }, probe), { path: "/a", version: "3.12.0", source: "setting" });
    assert.deepEqual(await findInterpreter({ ...nothing, chosen: "/b" }, probe), { path: "/b", version: "3.11.0", source: "Python extension" });
    assert.equal((await findInterpreter(nothing, probe)).source, "PATH");
  });

  it("passes over one that is too old, if nobody set it", async () => {
    const probe = machine({ "/old": [3, 8, 1], python3: [3, 9, 2], "python3.13": [3, 13, 0] });
    assert.equal((await findInterpreter({ ...nothing, chosen: "/old" }, probe)).path, "python3.13");
    await assert.rejects(findInterpreter({ ...nothing, setting: "/old" }, probe), /\/old: is Python 3\.8\.1\. It has to be Python 3\.11 or newer/);
  });

  it("says what it found where none will do", async () => {
    await assert.rejects(findInterpreter(nothing, machine({ python3: [3, 9, 2] })), (error: Error) => {
      assert.ok(error instanceof NoInterpreterError);
      assert.match(error.message, /needs Python 3\.11 or newer.*python3 is Python 3\.9\.2/);
      return true;
    });
  });

  it("lists what is there, and what is too old", async () => {
    const found = await knownInterpreters(["/a", "/gone"], machine({ "/a": [3, 12, 0], python3: [3, 9, 2] }));
    assert.deepEqual(found, [
      { path: "/a", version: "3.12.0", fits: true },
      { path: "python3", version: "3.9.2", fits: false },
    ]);
  });

  it("asks a real one", async () => {
    const found = await findInterpreter(nothing);
    assert.match(found.version, /^3\.\d+\.\d+$/);
    await assert.rejects(findInterpreter({ ...nothing, setting: process.execPath }), /cannot be run as a Python/);
    await assert.rejects(findInterpreter({ ...nothing, setting: "/nowhere/python" }), /is not there/);
  });
});

describe("paths in the setting", () => {
  for (const [setting, wanted] of [
    ["python3.12", "python3.12"],
    [".venv/bin/python", path.join("/work", ".venv/bin/python")],
    ["${workspaceFolder}/x", "/work/x"],
    ["/abs/python", "/abs/python"],
    ["~/bin/python", `${os.homedir()}/bin/python`],
  ] as const) {
    it(setting, () => {
      assert.equal(expand(setting, "/work"), wanted);
    });
  }
});

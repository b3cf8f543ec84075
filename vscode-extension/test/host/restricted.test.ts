/** The extension in Restricted Mode: it checks, and evaluates nothing. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import { codes, extension, file, open, task, until, write } from "./helpers";

describe("a folder that is not trusted", () => {
  let api: Api;

  before(async () => {
    api = await extension();
  });

  it("is one", () => {
    assert.equal(vscode.workspace.isTrusted, false);
  });

  it("is checked", async () => {
    const uri = await write("r.task.json", task({ type: "no_netwrk" }));
    await open("r.task.json");
    await until("the type is unknown", () => codes(uri).includes("unknown-oracle-type"));
  });

  it("offers no lens that evaluates", async () => {
    const document = await open("tasks/01_pagination_off_by_one.json");
    await until("it is a task", () => document.languageId === "agentbench-task");
    assert.deepEqual(await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri), []);
  });

  it("is refused by the server, too", async () => {
    const marker = file("ran");
    const uri = await write("x.task.json", task({ type: "test_must_pass", command: `touch ${marker.fsPath}` }));
    await write("x.trajectory.json", { steps: [] });
    const argument = { task: uri.toString(), trajectory: file("x.trajectory.json").toString() };
    for (const command of ["agentbench.evaluate", "agentbench.baseline", "agentbench.showReport", "agentbench.bisect"]) {
      await assert.rejects(api.server.execute(command, { ...argument, oracle: 0 }), /not trusted/);
    }
    await assert.rejects(async () => { await vscode.workspace.fs.stat(marker); });
  });

  it("does not count settings of the folder that run something", async () => {
    await write(".vscode/settings.json", { "agentbench.interpreter": "./evil" });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.equal(vscode.workspace.getConfiguration("agentbench").get("interpreter"), "");
    assert.equal(api.server.state.kind, "running");
  });

  it("lets workspace files be edited", async () => {
    const uri = await write("e.task.json", task({ type: "no_network" }));
    await open("e.task.json");
    await vscode.commands.executeCommand("agentbench.editWorkspaceFile", uri, "a.txt");
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "alpha\n");
  });
});

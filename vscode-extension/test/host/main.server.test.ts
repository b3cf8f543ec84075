/** The server on board: it runs, comes back, and says what it lacks. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import { PAGES, codes, extension, file, open, replace, run, settings, task, tidy, until, write } from "./helpers";

describe("the server", () => {
  let api: Api;

  before(async () => {
    api = await extension();
  });

  afterEach(tidy);

  const processes = (): number[] =>
    execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n").filter((line) => line.includes("start.py") && line.includes(" lsp ")).map((line) => Number.parseInt(line, 10));

  it("runs from the bundle, on a Python that does not have it", () => {
    const { state } = api.server;
    assert.ok(state.kind === "running");
    assert.throws(() => execFileSync(state.interpreter.path, ["-c", "import agentbench_lsp"], { stdio: "ignore", cwd: "/" }));
  });

  it("comes back after a crash, with its diagnostics", async () => {
    const uri = await write("crash.task.json", task({ type: "nope" }));
    await open("crash.task.json");
    await until("it is found", () => codes(uri).length);
    const { client } = api.server;
    for (const pid of processes()) process.kill(pid, "SIGKILL");
    await until("another one runs", () => api.server.state.kind === "running" && processes().length === 1);
    assert.equal(api.server.client, client);
    await replace(await open("crash.task.json"), '"nope"', '"nope2"');
    await until("it answers", () => vscode.languages.getDiagnostics(uri).some(({ message }) => message.includes("nope2")));
    await until("evaluation works, too", async () => await run("agentbench.checkBaseline", file(PAGES)));
  });

  it("Restart Server", async () => {
    const { client } = api.server;
    await run("agentbench.restartServer");
    assert.notEqual(api.server.client, client);
    assert.equal(api.server.state.kind, "running");
  });

  it("says what is missing where there is no Python, or too old a one", async () => {
    await write("old-python", '#!/bin/sh\necho \'["/usr/bin/python3.8", [3, 8, 1]]\'\n');
    execFileSync("chmod", ["+x", file("old-python").fsPath]);
    for (const [setting, told] of [["/nowhere/python", "is not there"], ["./old-python", "is Python 3.8.1"]] as const) {
      await settings().update("interpreter", setting, vscode.ConfigurationTarget.Global);
      const state = await until("it stopped", () => api.server.state.kind === "stopped" && api.server.state.reason.includes(told) && api.server.state);
      assert.ok(state.reason.includes("3.11 or newer"), state.reason);
      assert.equal(api.status.texts[0], "AgentBench is not running");
    }
    await settings().update("interpreter", undefined, vscode.ConfigurationTarget.Global);
    await until("it runs again", () => api.server.state.kind === "running");
  });

  it("has every command that is contributed, and its log", async () => {
    const manifest = vscode.extensions.getExtension("agentbench.agentbench-lsp")?.packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { command } of manifest.contributes.commands) assert.ok(known.has(command), command);
    await run("agentbench.showLogs");
  });
});

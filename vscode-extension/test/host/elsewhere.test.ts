/** The extension in a folder that has nothing to do with it, until it has. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import { codes, file, open, task, until, write } from "./helpers";

describe("a folder with other JSON", () => {
  let api: Api;

  before(async () => {
    await write("package.json", { name: "x", workspace: {}, scripts: {} });
    await open("package.json");
    const extension = vscode.extensions.getExtension<Api>("agentbench.agentbench-lsp");
    assert.ok(extension);
    api = await extension.activate();
  });

  it("starts no server", async () => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    assert.equal(api.server.state.kind, "idle");
    assert.deepEqual(codes(file("package.json")), []);
  });

  it("starts it when a task is opened, wherever it is", async () => {
    const uri = await write("deep/down/x.json", task({ type: "no_netwrk" }));
    const document = await open("deep/down/x.json");
    await until("it runs", () => api.server.state.kind === "running");
    await until("it is a task", () => document.languageId === "agentbench-task");
    await until("it is checked", () => codes(uri).includes("unknown-oracle-type"));
  });
});

/** Which documents are ours, and what is said of them. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { PAGES, WEAK, codeOf, codes, extension, file, open, settings, settled, task, tidy, until, write } from "./helpers";

describe("documents", () => {
  before(async () => {
    await extension();
  });

  afterEach(tidy);

  it("gives a plain .json task its language, and a name promises one", async () => {
    const document = await open(PAGES);
    await until("the language is switched", () => vscode.window.activeTextEditor?.document.languageId === "agentbench-task");
    assert.equal((await open(WEAK)).uri.path.endsWith(".json"), true);
    await until("the trajectory's, too", () => vscode.window.activeTextEditor?.document.languageId === "agentbench-trajectory");
    await write("x.manifest.json", { task_files: [] });
    assert.equal((await open("x.manifest.json")).languageId, "agentbench-manifest");
    assert.equal(document.isDirty, false);
  });

  it("leaves other JSON alone", async () => {
    await write("package.json", { name: "x", scripts: {} });
    const document = await open("package.json");
    await settled();
    assert.equal(document.languageId, "json");
    assert.deepEqual(codes(document.uri), []);
  });

  it("respects who changes the language back, and the setting", async () => {
    const document = await open("tasks/03_slugify_titles.json");
    await until("it is switched", () => document.languageId === "agentbench-task");
    await vscode.languages.setTextDocumentLanguage(document, "json");
    await settled();
    assert.equal(document.languageId, "json");
    await settings().update("detectTasks", false, vscode.ConfigurationTarget.Global);
    try {
      const other = await open("tasks/02_dedupe_keeps_order.json");
      await settled();
      assert.equal(other.languageId, "json");
    } finally {
      await settings().update("detectTasks", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("reports the syntax of a plain .json task once, though two servers look at it", async () => {
    await settings().update("detectTasks", false, vscode.ConfigurationTarget.Global);
    try {
      const uri = await write("tasks/broken.json", '{ "id": "t", "prompt": "p", "workspace": {}, "oracles": [{ "type": "no_network" ] }');
      await open("tasks/broken.json");
      const found = await until("there are diagnostics", () => {
        const all = vscode.languages.getDiagnostics(uri);
        return all.some(({ source }) => source !== "agentbench") && all;
      });
      assert.equal(found.some((each) => codeOf(each) === "json-syntax"), false);
    } finally {
      await settings().update("detectTasks", undefined, vscode.ConfigurationTarget.Global);
      await vscode.workspace.fs.delete(file("tasks/broken.json"));
    }
  });

  it("checks untitled documents", async () => {
    const document = await vscode.workspace.openTextDocument({ language: "agentbench-task", content: JSON.stringify(task({ type: "no_netwrk" })) });
    await vscode.window.showTextDocument(document);
    await until("the type is unknown", () => codes(document.uri).includes("unknown-oracle-type"));
  });

  it("checks files that are not open", async () => {
    const uri = await write("tasks/closed.json", task({ type: "nope" }));
    await until("it is found", () => codes(uri).includes("unknown-oracle-type"));
    await vscode.workspace.fs.delete(uri);
    await until("it is gone", () => codes(uri).length === 0);
  });
});

/** The Test Explorer, with the results that the diagnostics have. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import { PAGES, codeOf, extension, file, open, place, replace, run, settled, step, task, tidy, until, write } from "./helpers";

describe("the Test Explorer", () => {
  let api: Api;

  before(async () => {
    api = await extension();
  });

  afterEach(tidy);

  const item = async (uri: vscode.Uri): Promise<vscode.TestItem> => {
    await api.catalogue.refresh();
    return await until("the task is listed", () => api.explorer.tree.task(uri.toString()));
  };

  it("lists folder, task and oracle", async () => {
    const one = await item(file(PAGES));
    assert.equal(one.parent?.label.endsWith("tasks"), true);
    await api.explorer.tree.resolve(one);
    assert.deepEqual([...one.children].map(([, { label }]) => label), ["test_must_pass", "file_not_modified", "assertion_exists"]);
    const range = one.children.get(`${one.id}#1`)?.range;
    assert.ok(range);
  });

  it("runs a task, with the results that the diagnostics have", async () => {
    await run("agentbench.clearResults");
    await write("e.trajectory.json", { steps: [step("a.txt", "beta\n")] });
    const uri = await write("e.task.json", task({ type: "file_not_modified", path: "a.txt" }, { type: "no_network" }, { type: "test_must_pass", command: "no-such-tool-at-all" }));
    await item(uri);
    await api.explorer.evaluate([uri.toString()]);
    const results = api.results.of(uri.toString());
    assert.deepEqual(results?.oracles.map(({ state }) => state), ["failed", "passed", "errored"]);
    await open("e.task.json");
    const failures = await until("they are shown", () => vscode.languages.getDiagnostics(uri).filter((each) => codeOf(each) === "oracle-failed").length);
    assert.equal(failures, 2);
  });

  it("runs through VS Code's own commands, and follows the document", async () => {
    const uri = file("e.task.json");
    const one = await item(uri);
    await run("agentbench.clearResults");
    await run("vscode.revealTestInExplorer", one).then(undefined, () => undefined);
    const document = await open("e.task.json");
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    await api.explorer.tree.resolve(one);
    const at = place(document, '"no_network"');
    editor.selection = new vscode.Selection(at, at);
    await run("testing.runAtCursor");
    await until("the oracle at the cursor is judged", () => api.results.of(uri.toString())?.oracles.some(({ index }) => index === 1));
    await replace(document, '"no_network"', '"no_network", "x": 1');
    await until("its result holds no more", () => api.results.of(uri.toString())?.oracles.every(({ index }) => index !== 1) ?? true);
  });

  it("runs again on every save while a run is continuous", async () => {
    await write("k.trajectory.json", { steps: [step("a.txt", "beta\n")] });
    const uri = await write("k.task.json", task({ type: "assertion_exists", path: "a.txt", pattern: "beta" }));
    const one = await item(uri);
    const source = new vscode.CancellationTokenSource();
    await api.explorer.run(new vscode.TestRunRequest([one], undefined, undefined, true), source.token);
    const document = await open("k.task.json");
    const state = (): string | undefined => api.results.of(uri.toString())?.oracles[0]?.state;
    await replace(document, '"n"', '"m"');
    await document.save();
    await until("it passed", () => state() === "passed");
    const recording = await open("k.trajectory.json");
    await replace(recording, "beta", "gamma");
    await until("the verdict holds no more", () => state() === undefined);
    await recording.save();
    await until("it failed with the other recording", () => state() === "failed");
    source.cancel();
    await replace(document, '"m"', '"n"');
    await run("agentbench.clearResults");
    await vscode.window.showTextDocument(document);
    await document.save();
    await settled();
    assert.equal(state(), undefined, "it is over");
  });

  it("stops a run", async () => {
    const uri = await write("stop.task.json", task({ type: "test_must_pass", command: "sleep 60" }));
    await write("stop.trajectory.json", { steps: [] });
    const source = new vscode.CancellationTokenSource();
    const running = api.explorer.run(new vscode.TestRunRequest([await item(uri)]), source.token);
    await settled();
    source.cancel();
    await running;
    assert.equal(api.results.of(uri.toString()), undefined);
  });

  it("takes out a task whose file is gone", async () => {
    const uri = await write("tasks/gone.json", task({ type: "no_network" }));
    await item(uri);
    await vscode.workspace.fs.delete(uri);
    await until("it is not listed", () => api.explorer.tree.task(uri.toString()) === undefined);
  });
});

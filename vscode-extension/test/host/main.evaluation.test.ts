/** Evaluating from the palette, lenses and quick fixes. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import type { Report } from "../../src/server/messages";
import { PAGES, WEAK, codeOf, codes, extension, file, open, place, run, settled, shownText, step, task, tidy, until, write } from "./helpers";

describe("evaluation", () => {
  let api: Api;

  before(async () => {
    api = await extension();
  });

  afterEach(tidy);

  it("from a lens: failures on the values that failed and on the step", async () => {
    const document = await open(PAGES);
    const { uri } = document;
    const report = await run<Report>("agentbench.evaluate", { task: uri.toString(), trajectory: file(WEAK).toString() });
    assert.equal(report.passed, false);
    const failed = await until("they are shown", () => {
      const found = vscode.languages.getDiagnostics(uri).filter((each) => codeOf(each) === "oracle-failed");
      return found.length === 2 && found;
    });
    assert.deepEqual(failed.map(({ range }) => document.getText(range)).sort(), ['"\\\\(20, 10, 2\\\\)"', '"tests/test_pages.py"']);
    const related = failed[0]?.relatedInformation?.[0];
    assert.ok(related);
    assert.equal(related.location.uri.toString(), file(WEAK).toString());
    await open(WEAK);
    await until("the step is marked", () => codes(file(WEAK)).includes("step-broke-oracle"));
    assert.ok(api.status.texts[1]?.includes("2 of 3 oracles failed"), api.status.texts.join());
  });

  it("Evaluate Last, Clear Results", async () => {
    const uri = file(PAGES);
    await run("agentbench.clearResults");
    await until("nothing is shown", () => !codes(uri).includes("oracle-failed"));
    await open(PAGES);
    const report = await run<Report>("agentbench.evaluateLast");
    assert.equal(report.tasks[0]?.task_id, "pagination-off-by-one");
    await until("it is shown again", () => codes(uri).includes("oracle-failed"));
    await run("agentbench.clearResults");
    await until("nothing is shown", () => !codes(uri).includes("oracle-failed"));
    assert.equal(api.results.of(uri.toString()), undefined);
  });

  it("Check Baseline", async () => {
    const document = await open(PAGES);
    await until("it is a task", () => document.languageId === "agentbench-task");
    const report = await run<Report>("agentbench.checkBaseline");
    assert.equal(report.passed, false);
  });

  it("Evaluate This Oracle, at the cursor; Bisect", async () => {
    await write("b.trajectory.json", { steps: [step("a.txt", "alpha\n"), step("a.txt", "beta\n"), step("b.txt", "x")] });
    const uri = await write("b.task.json", task({ type: "no_network" }, { type: "test_must_pass", command: "grep -q alpha a.txt" }));
    const document = await open("b.task.json");
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const at = place(document, "grep -q");
    editor.selection = new vscode.Selection(at, at);
    const report = await run<Report>("agentbench.evaluateOracle");
    assert.deepEqual(report.tasks[0]?.oracles.map(({ index, passed }) => [index, passed]), [[1, false]]);
    await until("it is shown", () => codes(uri).includes("oracle-failed"));
    const found = await run<{ status: string; step: number }>("agentbench.bisectOracle");
    assert.deepEqual([found.status, found.step], ["broken", 1]);
  });

  it("quick fixes open the diff editor, the output, the step, the report", async () => {
    const document = await open(PAGES);
    await run("agentbench.evaluate", { task: document.uri.toString(), trajectory: file(WEAK).toString() });
    const about = { task: document.uri.toString(), trajectory: file(WEAK).toString() };
    const tab = (): unknown => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    await run("agentbench.showDiff", { ...about, oracle: 1 });
    const input = await until("the diff editor is open", () => { const i = tab(); return i instanceof vscode.TabInputTextDiff && i; });
    const [before, after] = [await vscode.workspace.openTextDocument(input.original), await vscode.workspace.openTextDocument(input.modified)];
    assert.ok(before.getText().includes("(20, 10, 2)") && !after.getText().includes("(20, 10, 2)"));
    await run("agentbench.showOutput", { ...about, oracle: 0 });
    assert.ok(shownText().includes("4 passed"));
    await run("agentbench.showStep", { ...about, oracle: 1 });
    const editor: vscode.TextEditor | undefined = vscode.window.activeTextEditor;
    assert.ok(editor);
    assert.equal(editor.document.uri.toString(), file(WEAK).toString());
    assert.equal(editor.selection.isEmpty, false);
    await run("agentbench.showReport", about);
    await until("the report is open", () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(({ label }) => label.startsWith("Report of")));
  });

  it("cancels", async () => {
    const uri = await write("slow.task.json", task({ type: "test_must_pass", command: "sleep 60" }));
    await write("slow.trajectory.json", { steps: [] });
    await open("slow.task.json");
    const evaluation = run("agentbench.evaluate", { task: uri.toString(), trajectory: file("slow.trajectory.json").toString() });
    await settled();
    await run("agentbench.cancelEvaluation");
    assert.equal(await evaluation, undefined);
  });
});

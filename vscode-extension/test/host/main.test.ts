/** The extension in a real VS Code, in a trusted folder: the tasks of this repository. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import type { Report } from "../../src/server/messages";
import { codeOf, codes, extension, file, open, place, replace, step, task, until, write } from "./helpers";

const PAGES = "tasks/01_pagination_off_by_one.json";
const WEAK = "tasks/trajectories/01_pagination_off_by_one.weakened_tests.json";
const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("agentbench");
const run = <T>(command: string, ...args: unknown[]): Thenable<T> => vscode.commands.executeCommand<T>(command, ...args);
const workspaceFile = (uri: vscode.Uri, path: string): vscode.Uri => vscode.Uri.from({ scheme: "agentbench-workspace", path: `/t/${path}`, query: uri.toString() });
const contents = (uri: vscode.Uri): Record<string, string> => {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  assert.ok(document);
  return (JSON.parse(document.getText()) as { workspace: Record<string, string> }).workspace;
};
const shownText = (): string => vscode.window.activeTextEditor?.document.getText() ?? "";
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 600));

describe("a trusted folder", () => {
  let api: Api;

  before(async () => {
    api = await extension();
  });

  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments) {
      if (document.isDirty) {
        await vscode.window.showTextDocument(document);
        await run("workbench.action.files.revert");
      }
    }
    await run("workbench.action.closeAllEditors");
  });

  describe("documents", () => {
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

  describe("language features", () => {
    it("shows a diagnostic with its page, and its fix", async () => {
      const uri = await write("f.task.json", task({ type: "no_netwrk" }));
      const document = await open("f.task.json");
      await until("it is there", () => codes(uri).includes("unknown-oracle-type"));
      const range = new vscode.Range(place(document, "no_netwrk"), place(document, "no_netwrk", 3));
      const actions = await run<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, range);
      assert.ok(actions.some(({ title }) => title.includes("no_network")), actions.map(({ title }) => title).join());
      const [first] = vscode.languages.getDiagnostics(uri);
      assert.ok(typeof first?.code === "object" && first.code.target.path.endsWith("unknown-oracle-type.md"));
      await vscode.workspace.fs.stat(first.code.target);
    });

    it("completes oracle types and params, once", async () => {
      const uri = await write("c.task.json", task({ type: "" }));
      const document = await open("c.task.json");
      const list = await run<vscode.CompletionList>("vscode.executeCompletionItemProvider", uri, place(document, '"type": "', 9));
      const labels = list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
      for (const type of ["test_must_pass", "file_not_modified", "no_network", "assertion_exists"]) assert.equal(labels.filter((label) => label === type).length, 1, type);
    });

    it("has hover, symbols, definition, rename, formatting, folding, hints, tokens, lenses", async () => {
      const document = await open(PAGES);
      await until("it is a task", () => document.languageId === "agentbench-task");
      const { uri } = document;
      const [hover] = await run<vscode.Hover[]>("vscode.executeHoverProvider", uri, place(document, '"file_not_modified"', 3));
      assert.ok(hover);
      const symbols = await run<vscode.DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", uri);
      assert.ok(symbols.some(({ name }) => name === "oracles"));
      const definitions = await run<unknown[]>("vscode.executeDefinitionProvider", uri, place(document, '"path": "tests/test_pages.py"', 12));
      assert.ok(definitions.length > 0);
      const renamed = await run<vscode.WorkspaceEdit>("vscode.executeDocumentRenameProvider", uri, place(document, '"path": "tests/test_pages.py"', 12), "tests/other.py");
      assert.ok((renamed.entries()[0]?.[1].length ?? 0) >= 3);
      await vscode.commands.executeCommand("editor.action.formatDocument");
      assert.ok((await run<unknown[]>("vscode.executeFoldingRangeProvider", uri)).length > 0);
      assert.ok(await run("vscode.provideDocumentSemanticTokens", uri));
      const inside = place(document, '"path": "tests/test_pages.py"', 12);
      assert.ok((await run<unknown[]>("vscode.executeReferenceProvider", uri, inside)).length >= 3);
      assert.ok((await run<unknown[]>("vscode.executeDocumentHighlights", uri, inside)).length >= 3);
      assert.equal((await run<unknown[]>("vscode.executeSelectionRangeProvider", uri, [inside])).length, 1);
      assert.ok((await run<vscode.SymbolInformation[]>("vscode.executeWorkspaceSymbolProvider", "pagination")).some(({ name }) => name.startsWith("pagination-off-by-one")));
      const manifest = await open("tasks/manifest.json");
      await until("it is a manifest", () => manifest.languageId === "agentbench-manifest");
      assert.equal((await run<unknown[]>("vscode.executeLinkProvider", manifest.uri)).length, 13);
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      await until("there are hints", async () => (await run<vscode.InlayHint[]>("vscode.executeInlayHintProvider", uri, whole)).length);
      const lenses = await run<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri);
      assert.ok(lenses.some(({ command }) => command?.title.startsWith("Evaluate against") === true));
    });
  });

  describe("settings", () => {
    const withSetting = async (name: string, value: unknown, work: () => Promise<unknown>): Promise<void> => {
      await settings().update(name, value, vscode.ConfigurationTarget.Global);
      try {
        await work();
      } finally {
        await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
      }
    };

    it("severity, ignoreRules", async () => {
      const uri = await write("s.task.json", task({ type: "no_network", extra: 1 }));
      await open("s.task.json");
      const severity = (): vscode.DiagnosticSeverity | undefined => vscode.languages.getDiagnostics(uri).find((each) => codeOf(each) === "unknown-param")?.severity;
      await until("it is a warning", () => severity() === vscode.DiagnosticSeverity.Warning);
      await withSetting("severity", { "unknown-param": "error" }, () => until("it is an error", () => severity() === vscode.DiagnosticSeverity.Error));
      await withSetting("ignoreRules", ["unknown-param"], () => until("it is off", () => severity() === undefined));
      await until("it is back", () => severity() === vscode.DiagnosticSeverity.Warning);
    });

    it("codeLenses, inlayHints, workspaceDiagnostics", async () => {
      const document = await open(PAGES);
      await until("it is a task", () => document.languageId === "agentbench-task");
      const lenses = async (): Promise<number> => (await run<unknown[]>("vscode.executeCodeLensProvider", document.uri)).length;
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      const hints = async (): Promise<number> => (await run<unknown[]>("vscode.executeInlayHintProvider", document.uri, whole)).length;
      await withSetting("codeLenses", false, () => until("there are none", async () => (await lenses()) === 0));
      await withSetting("inlayHints", false, () => until("there are none", async () => (await hints()) === 0));
      await until("both are back", async () => (await lenses()) > 0 && (await hints()) > 0);
      const uri = await write("tasks/unopened.json", task({ type: "nope" }));
      await until("it is found", () => codes(uri).length);
      await withSetting("workspaceDiagnostics", false, () => until("it is not looked at", () => codes(uri).length === 0));
      await vscode.workspace.fs.delete(uri);
    });

    it("evaluateOnSave, baselineOnSave", async () => {
      await write("o.trajectory.json", { steps: [step("a.txt", "beta\n")] });
      const uri = await write("o.task.json", task({ type: "file_not_modified", path: "a.txt" }, { type: "assertion_exists", path: "a.txt", pattern: "alpha" }));
      const document = await open("o.task.json");
      await withSetting("evaluateOnSave", true, async () => {
        await replace(document, '"n"', '"m"');
        await document.save();
        await until("it failed", () => codes(uri).includes("oracle-failed"));
      });
      await run("agentbench.clearResults");
      await until("it is cleared", () => !codes(uri).includes("oracle-failed"));
      await withSetting("baselineOnSave", true, async () => {
        await replace(document, '"m"', '"n"');
        await document.save();
        await until("it passes at the baseline", () => codes(uri).includes("passes-at-baseline"));
      });
    });

    it("sandbox is told to the server, and interpreter restarts it only if it changes", async () => {
      const state = api.server.state;
      assert.ok(state.kind === "running");
      const { client } = api.server;
      await withSetting("interpreter", state.interpreter.path, async () => {
        await settled();
        assert.equal(api.server.client, client, "the same interpreter is no other");
      });
      const python = execFileSync(state.interpreter.path, ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
      await withSetting("interpreter", python, () => until("it runs by the setting", () => api.server.state.kind === "running" && api.server.state.interpreter.source === "setting"));
      await until("it runs again", () => api.server.state.kind === "running" && api.server.state.interpreter.source !== "setting");
    });

    it("importStrategy takes the server from the environment, or the bundle where there is none", async () => {
      const { client } = api.server;
      await withSetting("importStrategy", "fromEnvironment", () => until("it was restarted", () => api.server.state.kind === "running" && api.server.client !== client));
      await until("it runs", () => api.server.state.kind === "running");
    });
  });

  describe("evaluation", () => {
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

  describe("the Test Explorer", () => {
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

  describe("a workspace file as a file", () => {
    const CONTENT = 'print("é \u{1f600}")\r\nx = "\\d\\"\t"\r\n';
    const made = async (name: string, workspace: Record<string, string>): Promise<vscode.Uri> =>
      await write(name, `${JSON.stringify({ id: "t", name: "n", description: "d", prompt: "p", workspace, oracles: [{ type: "file_not_modified", path: "src/a.py" }, { type: "test_must_pass", command: "python src/a.py" }] }, undefined, 3)}\n`);
    const edit = async (document: vscode.TextDocument, at: vscode.Position, text: string): Promise<void> => {
      const change = new vscode.WorkspaceEdit();
      change.insert(document.uri, at, text);
      assert.ok(await vscode.workspace.applyEdit(change));
    };

    it("opens with its language, saves into the task and leaves the rest byte for byte; undo takes it back", async () => {
      const uri = await made("w1.task.json", { "src/a.py": CONTENT, "z.txt": "\u2028\u00e9" });
      const before = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const json = await open("w1.task.json");
      await run("agentbench.editWorkspaceFile", uri, "src/a.py");
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document);
      assert.deepEqual([document.languageId, document.getText(), document.eol], ["python", CONTENT, vscode.EndOfLine.CRLF]);
      await edit(document, new vscode.Position(1, 0), 'y = "ü\u{1f680}"\n');
      assert.ok(await document.save());
      assert.equal(contents(uri)["src/a.py"], CONTENT.replace("x =", 'y = "ü\u{1f680}"\r\nx ='));
      await until("the task, which was clean, is saved, too", () => !json.isDirty);
      const after = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      assert.equal(after, before.replace("x = ", 'y = \\"ü\u{1f680}\\"\\r\\nx = '));
      await vscode.window.showTextDocument(json);
      await run("undo");
      assert.equal(json.getText(), before);
      await until("the view follows", () => document.getText() === CONTENT);
    });

    it("follows the task while it is clean", async () => {
      const uri = await made("w2.task.json", { "src/a.py": "one\n" });
      const json = await open("w2.task.json");
      const document = await vscode.workspace.openTextDocument(workspaceFile(uri, "src/a.py"));
      await vscode.window.showTextDocument(document);
      await replace(json, '"one\\n"', '"two\\n"');
      await until("it says two", () => document.getText() === "two\n");
      await edit(document, new vscode.Position(0, 0), "zero\n");
      assert.ok(await document.save());
      assert.equal(contents(uri)["src/a.py"], "zero\ntwo\n");
      assert.equal(json.isDirty, true, "the task had changes of its own, so saving them is left to the user");
    });

    it("holds 1 MB", async () => {
      const large = "x = 'é'  # \\ \"\n".repeat(70_000);
      const uri = await made("w3.task.json", { "src/a.py": large });
      const document = await vscode.workspace.openTextDocument(workspaceFile(uri, "src/a.py"));
      assert.equal(document.getText().length, large.length);
      await edit(document, new vscode.Position(35_000, 0), "middle\n");
      assert.ok(await document.save());
      const saved = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))) as { workspace: Record<string, string> };
      const content = saved.workspace["src/a.py"] ?? "";
      assert.equal(content.length, large.length + "middle\n".length);
      assert.equal(content.indexOf("middle"), large.length / 2);
    });

    it("new, rename and delete; oracles follow", async () => {
      const uri = await made("w4.task.json", { "src/a.py": "1\n" });
      await open("w4.task.json");
      await run("agentbench.newWorkspaceFile", uri, "src/new.txt");
      await until("it is there", () => contents(uri)["src/new.txt"] === "");
      await vscode.workspace.fs.rename(workspaceFile(uri, "src/a.py"), workspaceFile(uri, "src/b.py"));
      const text = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())?.getText() ?? "";
      assert.ok(text.includes('"path": "src/b.py"') && text.includes("python src/b.py") && !text.includes("src/a.py"), text);
      await vscode.workspace.fs.delete(workspaceFile(uri, "src/new.txt"));
      assert.deepEqual(Object.keys(contents(uri)), ["src/b.py"]);
      await assert.rejects(async () => { await vscode.workspace.fs.rename(workspaceFile(uri, "src/b.py"), workspaceFile(uri, "../out.py")); });
      await assert.rejects(async () => { await vscode.workspace.fs.readFile(workspaceFile(uri, "nope")); });
    });
  });

  describe("the server", () => {
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
});

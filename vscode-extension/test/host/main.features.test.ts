/** What the server answers reaches VS Code, once. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { PAGES, codeOf, codes, extension, open, place, run, task, tidy, until, write } from "./helpers";

describe("language features", () => {
  before(async () => {
    await extension();
  });

  afterEach(tidy);

  it("shows a diagnostic with its page, and its fix", async () => {
    const uri = await write("f.task.json", task({ type: "no_netwrk" }));
    const document = await open("f.task.json");
    await until("it is there", () => codes(uri).includes("unknown-oracle-type"));
    const range = new vscode.Range(place(document, "no_netwrk"), place(document, "no_netwrk", 3));
    const actions = await run<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, range);
    assert.ok(actions.some(({ title }) => title.includes("no_network")), actions.map(({ title }) => title).join());
    const found = vscode.languages.getDiagnostics(uri).find((each) => codeOf(each) === "unknown-oracle-type");
    assert.ok(typeof found?.code === "object" && found.code.target.path.endsWith("unknown-oracle-type.md"));
    await vscode.workspace.fs.stat(found.code.target);
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

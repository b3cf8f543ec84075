/** A workspace file in an editor of its own, and back into the task. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extension, open, replace, run, contents, tidy, until, workspaceFile, write } from "./helpers";

describe("a workspace file as a file", () => {
  before(async () => {
    await extension();
  });

  afterEach(tidy);

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

/** What the tests in the extension host share. */

import assert from "node:assert/strict";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";

const PATIENCE = 30_000; // milliseconds; for a server that hangs, not a budget

export const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
export const file = (name: string): vscode.Uri => vscode.Uri.joinPath(root, ...name.split("/"));

/** The extension, activated, with its server running. */
export async function extension(): Promise<Api> {
  const found = vscode.extensions.getExtension<Api>("agentbench.agentbench-lsp");
  assert.ok(found, "the extension is installed");
  const api = await found.activate();
  await until("the server runs", () => api.server.state.kind === "running");
  return api;
}

/** Waits for something that happens unasked; its value. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<Exclude<T, undefined | null | false | 0>> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false && value !== 0) return value as Exclude<T, undefined | null | false | 0>;
    if (Date.now() > end) throw new Error(`waited in vain until ${what}; last: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export async function open(name: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(file(name));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

export async function write(name: string, content: unknown): Promise<vscode.Uri> {
  const uri = file(name);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content, undefined, 2)));
  return uri;
}

export function codes(uri: vscode.Uri): string[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "agentbench").map(codeOf).sort();
}

export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : code);
}

/** The place of a text in a document, `offset` characters into it. */
export function place(document: vscode.TextDocument, text: string, offset = 0): vscode.Position {
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, `${path.basename(document.fileName)} holds ${text}`);
  return document.positionAt(at + offset);
}

export async function replace(document: vscode.TextDocument, old: string, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(place(document, old), place(document, old, old.length)), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

export const task = (...oracles: object[]): object => ({ id: "t", name: "n", description: "d", prompt: "p", workspace: { "a.txt": "alpha\n" }, oracles });
export const step = (name: string, content: string): object => ({ type: "tool_call", tool: "write_file", args: { path: name, content } });

export const PAGES = "tasks/01_pagination_off_by_one.json";
export const WEAK = "tasks/trajectories/01_pagination_off_by_one.weakened_tests.json";
export const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("agentbench");
export const run = <T>(command: string, ...args: unknown[]): Thenable<T> => vscode.commands.executeCommand<T>(command, ...args);
export const workspaceFile = (uri: vscode.Uri, name: string): vscode.Uri => vscode.Uri.from({ scheme: "agentbench-workspace", path: `/t/${name}`, query: uri.toString() });
export const shownText = (): string => vscode.window.activeTextEditor?.document.getText() ?? "";
/** Time in which something that must not happen would have happened. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 600));

/** The workspace of a task that is open, as it stands in its text. */
export function contents(uri: vscode.Uri): Record<string, string> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  assert.ok(document);
  return (JSON.parse(document.getText()) as { workspace: Record<string, string> }).workspace;
}

/** Leaves no editor and no unsaved change to the next test. */
export async function tidy(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty) {
      await vscode.window.showTextDocument(document);
      await run("workbench.action.files.revert");
    }
  }
  await run("workbench.action.closeAllEditors");
}

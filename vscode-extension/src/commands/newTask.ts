/** New tasks: a skeleton, or one made of files of a real folder. */

import * as vscode from "vscode";
import { nameOf, shownPath } from "../places";
import { messageOf, reporting } from "../problems";
import type { FolderFile } from "../server/messages";
import type { Server } from "../server/server";

export async function newTask(server: Server): Promise<unknown> {
  return await reporting(async () => {
    const id = await askId(server, "my-task");
    if (id !== undefined) await create(server, { id });
  });
}

export async function newTaskFromFolder(server: Server, called: unknown): Promise<unknown> {
  return await reporting(async () => {
    const folder = called instanceof vscode.Uri ? called : await askFolder();
    if (folder === undefined) return;
    const offered = await server.ask<FolderFile[]>("agentbench/folderFiles", { folder: folder.toString() });
    const usable = offered.filter(({ refused }) => refused === null);
    const refused = offered.filter((file) => file.refused !== null);
    if (usable.length === 0) throw new Error(`${folder.fsPath} has no file that a task can take.`);
    const items: vscode.QuickPickItem[] = [
      ...usable.map(({ path, size }) => ({ label: path, description: sized(size), picked: usable.length <= 50 })),
      ...(refused.length > 0 ? [{ label: "These cannot be taken", kind: vscode.QuickPickItemKind.Separator }] : []),
      ...refused.map(({ path, refused: reason }) => ({ label: path, description: `$(circle-slash) ${reason ?? ""}`, alwaysShow: true })),
    ];
    const picked = await vscode.window.showQuickPick(items, { canPickMany: true, title: "New Task From Folder", placeHolder: "Which files are the workspace?" });
    if (picked === undefined) return;
    const taken = new Set(usable.map(({ path }) => path));
    const files = picked.map(({ label }) => label).filter((label) => taken.has(label));
    const name = nameOf(folder.toString());
    const id = await askId(server, (await objection(server, name)) === undefined ? name : "my-task");
    if (id !== undefined) await create(server, { id, folder: folder.toString(), files });
  });
}

async function askId(server: Server, value: string): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: "New Task",
    prompt: "The id of the task, which is also its file's name",
    value,
    validateInput: (text) => objection(server, text),
  });
}

/** What the server has against an id; undefined where it has nothing. */
async function objection(server: Server, id: string): Promise<string | undefined> {
  return await server.ask("agentbench/newTask", { id }).then(() => undefined, messageOf);
}

async function askFolder(): Promise<vscode.Uri | undefined> {
  const defaultUri = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({ title: "A folder with the files of the task", canSelectFolders: true, canSelectFiles: false, ...(defaultUri && { defaultUri }) });
  return picked?.[0];
}

/** Writes the file where tasks are kept; nothing that is there is written over. */
async function create(server: Server, params: object): Promise<void> {
  const { text, name } = await server.ask<{ text: string; name: string }>("agentbench/newTask", params);
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (root === undefined) {
    const document = await vscode.workspace.openTextDocument({ language: "agentbench-task", content: text });
    await vscode.window.showTextDocument(document);
    return;
  }
  const uri = vscode.Uri.joinPath(root, "tasks", name);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: false, ignoreIfExists: false, contents: new TextEncoder().encode(text) });
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`${shownPath(uri.toString())} is there already.`);
  const editor = await vscode.window.showTextDocument(uri);
  const prompt = text.indexOf('"prompt": "') + '"prompt": "'.length;
  const end = text.indexOf('"', prompt);
  editor.selection = new vscode.Selection(editor.document.positionAt(prompt), editor.document.positionAt(end));
}

function sized(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
}

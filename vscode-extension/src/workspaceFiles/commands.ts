/** Open, new, rename, delete: the files of a task's workspace. */

import * as vscode from "vscode";
import { calledOn, type Command, onTask } from "../commands/task";
import type { Catalogue } from "../documents/catalogue";
import type { DocumentEntry } from "../server/messages";
import type { Server } from "../server/server";
import { SCHEME, WorkspaceFiles } from "./provider";

/** The commands by id; their second argument is a path, for which the user is not asked then. */
export function fileCommands(catalogue: Catalogue, server: Server): Record<string, Command> {
  return {
    editWorkspaceFile: onTask(catalogue, async (task, _, path) => {
      const file = await theFile(task, path, "Edit which file?");
      if (file !== undefined) await open(task.uri, file);
    }),
    newWorkspaceFile: onTask(catalogue, async (task, _, path) => {
      const file = typeof path === "string" ? path : await askPath(task, "");
      if (file === undefined) return;
      await vscode.workspace.fs.writeFile(WorkspaceFiles.uri(task.uri, file), new Uint8Array());
      await open(task.uri, file);
    }),
    renameWorkspaceFile: onTask(catalogue, async (task, called, path) => {
      const file = await theFile(task, path ?? shown(called), "Rename which file?");
      const to = file === undefined ? undefined : await askPath(task, file);
      if (file === undefined || to === undefined || to === file) return;
      const from = WorkspaceFiles.uri(task.uri, file);
      const wasOpen = await close(from);
      await vscode.workspace.fs.rename(from, WorkspaceFiles.uri(task.uri, to));
      if (wasOpen) await open(task.uri, to);
    }),
    deleteWorkspaceFile: onTask(catalogue, async (task, called, path) => {
      const file = await theFile(task, path ?? shown(called), "Delete which file?");
      if (file === undefined) return;
      const { oracles } = await server.ask<{ oracles: number[] }>("agentbench/deleteWorkspaceFile", { task: task.uri, path: file });
      const named = oracles.length === 1 ? "1 oracle names it; the editor will mark it. " : `${oracles.length} oracles name it; the editor will mark them. `;
      const detail = `${oracles.length > 0 ? named : ""}You can undo this in the task.`;
      const button = await vscode.window.showWarningMessage(`Delete ${file} from the task's workspace?`, { modal: true, detail }, "Delete");
      if (button === undefined) return;
      const uri = WorkspaceFiles.uri(task.uri, file);
      await close(uri);
      await vscode.workspace.fs.delete(uri);
    }),
  };
}

async function open(task: string, file: string): Promise<void> {
  await vscode.window.showTextDocument(WorkspaceFiles.uri(task, file), { preview: false });
}

/** The path of the workspace file that a command was called on, or that is edited. */
function shown(called: unknown): string | undefined {
  const uri = calledOn(called);
  return uri?.scheme === SCHEME ? WorkspaceFiles.parts(uri).path : undefined;
}

async function theFile(task: DocumentEntry, path: unknown, placeHolder: string): Promise<string | undefined> {
  if (typeof path === "string") return path;
  const files = task.files ?? [];
  if (files.length === 0) throw new Error("The task has no workspace files.");
  return await vscode.window.showQuickPick(files, { title: task.id ?? "AgentBench", placeHolder });
}

async function askPath(task: DocumentEntry, value: string): Promise<string | undefined> {
  const others = new Set((task.files ?? []).filter((file) => file !== value));
  return await vscode.window.showInputBox({
    title: value === "" ? "New Workspace File" : `Rename ${value}`,
    prompt: "The path in the task's workspace, with forward slashes",
    value,
    valueSelection: [value.lastIndexOf("/") + 1, value.length],
    validateInput: (text) => (text === "" ? "The path is empty." : others.has(text) ? "The workspace has such a file already." : undefined),
  });
}

/** Closes the editors of a file; whether there was one. Unsaved changes are kept by saving them first. */
async function close(uri: vscode.Uri): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document?.isDirty === true) await document.save();
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all).filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
  return tabs.length > 0;
}

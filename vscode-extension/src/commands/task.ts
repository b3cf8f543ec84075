/** Which task a command is about: what it was called on, what is edited, what is picked. */

import * as vscode from "vscode";
import type { Catalogue } from "../documents/catalogue";
import { nameOf, shownPath } from "../places";
import { reporting } from "../problems";
import type { DocumentEntry } from "../server/messages";

export type Command = (called?: unknown, more?: unknown) => Promise<unknown>;

/** A command on a task; failures are told. */
export function onTask(catalogue: Catalogue, work: (task: DocumentEntry, called: unknown, more: unknown) => Promise<unknown>): Command {
  return (called, more) =>
    reporting(async () => {
      const task = await theTask(catalogue, called);
      return task === undefined ? undefined : await work(task, called, more);
    });
}

/** The URI that a command was called on, or of what is edited. */
export function calledOn(called: unknown): vscode.Uri | undefined {
  if (called instanceof vscode.Uri) return called;
  // An item of the Test Explorer.
  if (typeof called === "object" && called !== null && "uri" in called && called.uri instanceof vscode.Uri) return called.uri;
  return vscode.window.activeTextEditor?.document.uri;
}

/** Throws where a command was called on something else. */
async function theTask(catalogue: Catalogue, called: unknown): Promise<DocumentEntry | undefined> {
  const uri = calledOn(called);
  if (uri !== undefined) {
    const entry = await catalogue.one(uri.scheme === "agentbench-workspace" ? uri.query : uri.toString());
    if (entry?.kind === "task") return entry;
  }
  if (called !== undefined) throw new Error("This is no task.");
  const items = catalogue.tasks.map((task) => ({ label: task.id ?? nameOf(task.uri), description: task.name ?? "", detail: shownPath(task.uri), uri: task.uri }));
  const placeHolder = items.length > 0 ? "Which task?" : "There is no task in this workspace";
  const picked = await vscode.window.showQuickPick(items, { title: "AgentBench", placeHolder, matchOnDescription: true, matchOnDetail: true });
  return picked && (await catalogue.one(picked.uri));
}

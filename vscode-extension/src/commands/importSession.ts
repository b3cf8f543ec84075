/** A session of an agent becomes a trajectory, and a task if that is wanted. */

import * as vscode from "vscode";
import { reporting } from "../problems";
import type { Server } from "../server/server";

interface Found {
  uri: string;
  name: string;
}

export async function importSession(server: Server, called: unknown): Promise<unknown> {
  return await reporting(async () => {
    const session = called instanceof vscode.Uri ? called.toString() : await chosen(server);
    if (session === undefined) return undefined;
    const task = await wanted();
    return task === undefined ? undefined : await server.execute("agentbench.import", { session, task });
  });
}

/** A session of the workspace, or one from elsewhere: agents keep theirs in the user's home. */
async function chosen(server: Server): Promise<string | undefined> {
  const found = await server.ask<Found[]>("agentbench/sessions", {});
  if (found.length === 0) return await browsed();
  const elsewhere = { label: "$(folder-opened) Choose a file…", uri: undefined };
  const items = [...found.map(({ uri, name }) => ({ label: name, uri })), elsewhere];
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { uri: string | undefined }>(items, {
    title: "Import Session",
    placeHolder: "Which session?",
  });
  if (picked === undefined) return undefined;
  return picked.uri ?? (await browsed());
}

async function browsed(): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({ title: "The session of an agent", canSelectMany: false });
  return picked?.[0]?.toString();
}

async function wanted(): Promise<boolean | undefined> {
  const items = [
    { label: "Trajectory", description: "to evaluate tasks with", task: false },
    { label: "Trajectory and task", description: "the workspace as the agent found it, with suggested oracles", task: true },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: "Import Session", placeHolder: "Make what of it?" });
  return picked?.task;
}

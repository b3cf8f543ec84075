/** Which Python runs the server: one that is there, or any other. */

import * as path from "node:path";
import * as vscode from "vscode";
import { reporting } from "../problems";
import { knownInterpreters } from "../server/interpreter";

interface Pick extends vscode.QuickPickItem {
  choose: () => Thenable<string | undefined>;
}

/** Lets the user choose; the setting is written, and the server follows it. */
export async function selectInterpreter(): Promise<unknown> {
  return await reporting(async () => {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const places = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
    const own = folders.flatMap((folder) => [".venv", "venv"].map((name) => path.join(folder, name, ...places)));
    const found = await knownInterpreters(own);
    const items: Pick[] = [
      ...found.map(({ path: python, version, fits }) => ({
        label: python,
        description: fits ? `Python ${version}` : `Python ${version}: too old`,
        choose: () => Promise.resolve(python),
      })),
      { label: "$(folder-opened) Browse…", choose: browse },
      { label: "$(discard) Find one by itself", description: "the Python extension's choice, else the PATH", choose: () => Promise.resolve("") },
    ];
    const picked = await vscode.window.showQuickPick(items, { title: "AgentBench: Select Interpreter", placeHolder: "Python 3.11 or newer; it runs the server and evaluates" });
    const chosen = await picked?.choose();
    if (chosen === undefined) return;
    await vscode.workspace.getConfiguration("agentbench").update("interpreter", chosen === "" ? undefined : chosen, vscode.ConfigurationTarget.Global);
  });
}

async function browse(): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({ title: "A Python 3.11 or newer" });
  return files?.[0]?.fsPath;
}

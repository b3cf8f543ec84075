/** Whether there is anything for us: no server is started for a folder that only has other JSON. */

import * as vscode from "vscode";
import { LANGUAGES } from "../server/server";

const NAMES = ["**/{tasks,trajectories}/*.json", "**/*.{task,trajectory,manifest}.json"]; // braces do not nest
const PASSED_OVER = "**/{node_modules,.git,.venv}/**";
const KEYS = /"(?:oracles|task_files|task_subset|steps)"\s*:/;
const MOST_READ = 2_000_000; // characters

/** Whether a document may be ours: the server knows for sure. */
export function mayBeOurs(document: vscode.TextDocument): boolean {
  if (LANGUAGES.includes(document.languageId)) return true;
  return document.languageId === "json" && ["file", "untitled"].includes(document.uri.scheme) && KEYS.test(document.getText().slice(0, MOST_READ));
}

/** Calls back once, as soon as there is a document or a file that may be ours. */
export function whenNeeded(needed: () => void): vscode.Disposable {
  const disposables: vscode.Disposable[] = [];
  let done = false;
  const now = (): void => {
    if (done) return;
    done = true;
    for (const disposable of disposables) disposable.dispose();
    needed();
  };
  const look = (document: vscode.TextDocument): void => {
    if (mayBeOurs(document)) now();
  };
  disposables.push(vscode.workspace.onDidOpenTextDocument(look), vscode.workspace.onDidSaveTextDocument(look));
  vscode.workspace.textDocuments.forEach(look);
  for (const name of NAMES) {
    const watcher = vscode.workspace.createFileSystemWatcher(name, false, true, true);
    disposables.push(watcher, watcher.onDidCreate(now));
    void vscode.workspace.findFiles(name, PASSED_OVER, 1).then((found) => {
      if (found.length > 0) now();
    });
  }
  return new vscode.Disposable(() => {
    done = true;
    for (const disposable of disposables) disposable.dispose();
  });
}

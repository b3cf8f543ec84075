/** The tasks, trajectories and manifests of the workspace, kept up to date for trees and menus. */

import * as path from "node:path";
import * as vscode from "vscode";
import { Debounce } from "../debounce";
import type { DocumentEntry } from "../server/messages";
import type { Server } from "../server/server";

const QUIET = 300; // milliseconds without a change

export class Catalogue implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #debounce = new Debounce(QUIET);
  readonly #disposables: { dispose(): unknown }[] = [this.#changed, this.#debounce];
  readonly onDidChange = this.#changed.event;
  entries: DocumentEntry[] = [];

  constructor(private readonly server: Server) {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.json");
    const soon = (): void => {
      this.refreshSoon();
    };
    this.#disposables.push(
      watcher,
      watcher.onDidCreate(soon),
      watcher.onDidChange(soon),
      watcher.onDidDelete(soon),
      vscode.workspace.onDidChangeWorkspaceFolders(soon),
      server.onDidChangeState(({ kind }) => {
        if (kind === "running") soon();
      }),
    );
  }

  get tasks(): DocumentEntry[] {
    return this.entries.filter(({ kind }) => kind === "task");
  }

  refreshSoon(): void {
    this.#debounce.soon("", () => void this.refresh());
  }

  /** Asks the server for the list. While it does not run, the list stays as it was. */
  async refresh(): Promise<void> {
    if (this.server.state.kind !== "running") return;
    try {
      this.entries = await this.server.ask<DocumentEntry[]>("agentbench/documents", {});
    } catch {
      return; // the server has just ended; it is asked again when it is back
    }
    await this.#setContexts();
    this.#changed.fire();
  }

  /** One document as it is now, with its oracles and files; undefined where it is not ours. */
  async one(uri: string): Promise<DocumentEntry | undefined> {
    return (await this.server.ask<DocumentEntry[]>("agentbench/documents", { uri }))[0];
  }

  async #setContexts(): Promise<void> {
    const paths = (kind: string): string[] => this.entries.filter((entry) => entry.kind === kind).map(({ uri }) => vscode.Uri.parse(uri).fsPath);
    const tasks = paths("task");
    const set = (name: string, value: unknown): Thenable<unknown> => vscode.commands.executeCommand("setContext", `agentbench.${name}`, value);
    await set("taskPaths", tasks);
    await set("manifestPaths", paths("manifest"));
    await set("folderPaths", [...new Set(tasks.map((task) => path.dirname(task)))]);
    await set("hasTasks", tasks.length > 0);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

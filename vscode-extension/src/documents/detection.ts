/** Plain `.json` files that hold a task, a trajectory or a manifest get our language, so that nothing answers twice. */

import * as vscode from "vscode";
import { isCancellation } from "../problems";
import type { DocumentEntry } from "../server/messages";
import type { Server } from "../server/server";

export class Detection implements vscode.Disposable {
  readonly #switched = new Set<string>();
  readonly #disposables: { dispose(): unknown }[];

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#disposables = [
      vscode.workspace.onDidOpenTextDocument((document) => void this.#look(document)),
      vscode.workspace.onDidSaveTextDocument((document) => void this.#look(document)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        // A change of the language closes and opens: only what is really gone is looked at again.
        setTimeout(() => {
          const uri = document.uri.toString();
          if (!vscode.workspace.textDocuments.some((other) => other.uri.toString() === uri)) this.#switched.delete(uri);
        }, 0);
      }),
      server.onDidChangeState(({ kind }) => {
        if (kind === "running") for (const document of vscode.workspace.textDocuments) void this.#look(document);
      }),
    ];
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    const uri = document.uri.toString();
    if (!isPlain(document) || !["file", "untitled"].includes(document.uri.scheme)) return;
    if (this.#switched.has(uri) || !vscode.workspace.getConfiguration("agentbench", document.uri).get<boolean>("detectTasks", true)) return;
    if (this.server.state.kind !== "running") return; // looked at when it runs
    try {
      const [entry] = await this.server.ask<DocumentEntry[]>("agentbench/documents", { uri });
      if (entry === undefined || !isPlain(document)) return;
      this.#switched.add(uri); // who changes it back means it
      await vscode.languages.setTextDocumentLanguage(document, `agentbench-${entry.kind}`);
    } catch (error) {
      if (!isCancellation(error)) this.log.debug(`${uri} was not looked at: ${String(error)}`);
    }
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

function isPlain(document: vscode.TextDocument): boolean {
  return document.languageId === "json" && !document.isClosed;
}

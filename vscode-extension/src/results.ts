/** What evaluations found, told by the server whenever it changes. */

import * as vscode from "vscode";
import { Debounce } from "./debounce";
import type { TaskResults } from "./server/messages";
import type { Server } from "./server/server";

const QUIET = 100; // milliseconds: a verdict is told once before and once after commands ran on the untouched workspace

export interface Verdict {
  task: string;
  results: TaskResults | undefined;
}

export class Results implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Verdict>();
  readonly onDidChange = this.#changed.event;
  readonly #known = new Map<string, TaskResults>();
  readonly #trajectories = new Map<string, string>();
  readonly #debounce = new Debounce(QUIET);
  readonly #edits: vscode.Disposable;
  /** The one that came last. */
  last: Verdict | undefined;

  constructor(private readonly server: Server) {
    server.onNotification("agentbench/resultsChanged", ({ uris }: { uris: string[] }) => {
      for (const uri of uris) this.#soon(uri);
    });
    server.onDidChangeState(({ kind }) => {
      if (kind !== "running") for (const task of this.#known.keys()) this.#set(task, undefined);
    });
    // An edit may take results away, of which the server says nothing: it only ceases to show them.
    this.#edits = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const uri = document.uri.toString();
      if (this.#known.has(uri)) this.#soon(uri);
    });
  }

  of(task: string): TaskResults | undefined {
    return this.#known.get(task);
  }

  /** What a task was evaluated with last; an edit of that recording takes the results away, not this. */
  lastTrajectory(task: string): string | undefined {
    return this.#trajectories.get(task);
  }

  /** Asks the server now. */
  async refresh(task: string): Promise<TaskResults | undefined> {
    const found = (await this.server.ask<TaskResults | null>("agentbench/results", { task })) ?? undefined;
    this.#set(task, found);
    return found;
  }

  #soon(task: string): void {
    this.#debounce.soon(task, () => {
      this.refresh(task).catch(() => undefined); // of a trajectory there are none; a server that ended has none either
    });
  }

  #set(task: string, results: TaskResults | undefined): void {
    const before = this.#known.get(task);
    if (results === undefined) this.#known.delete(task);
    else {
      this.#known.set(task, results);
      this.#trajectories.set(task, results.trajectory);
    }
    if (JSON.stringify(before) === JSON.stringify(results)) return;
    if (results !== undefined) this.last = { task, results };
    else if (this.last?.task === task) this.last = undefined;
    void vscode.commands.executeCommand("setContext", "agentbench.hasResults", this.#known.size > 0);
    this.#changed.fire({ task, results });
  }

  dispose(): void {
    this.#debounce.dispose();
    this.#edits.dispose();
    this.#changed.dispose();
  }
}

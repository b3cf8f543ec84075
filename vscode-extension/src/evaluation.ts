/** Evaluating for the user: which trajectory, one run after another, cancel, and what was evaluated last. */

import * as path from "node:path";
import * as vscode from "vscode";
import { reporting, trusted } from "./problems";
import type { Argument, Candidate, Report } from "./server/messages";
import type { Server } from "./server/server";

const LAST = "agentbench.last";
const CHOSEN = "agentbench.chosen"; // workspace state: trajectory by task

type Command = "agentbench.evaluate" | "agentbench.baseline" | "agentbench.bisect" | "agentbench.showReport";

interface Pick extends vscode.QuickPickItem {
  uri?: string;
}

export class Evaluations {
  readonly #running = new Set<vscode.CancellationTokenSource>();

  constructor(
    private readonly server: Server,
    private readonly state: vscode.Memento,
  ) {
    void vscode.commands.executeCommand("setContext", "agentbench.hasLast", this.last !== undefined);
  }

  /** What was evaluated last in this workspace. */
  get last(): Argument | undefined {
    return this.state.get<Argument>(LAST);
  }

  /** Runs a command of the server that evaluates. Throws ResponseError; undefined where it is not allowed. */
  async run<T>(command: Command, argument: Argument, outer?: vscode.CancellationToken): Promise<T | undefined> {
    if (!(await trusted())) return undefined;
    const source = new vscode.CancellationTokenSource();
    const link = outer?.onCancellationRequested(() => {
      source.cancel();
    });
    this.#running.add(source);
    this.#tellRunning();
    try {
      const answer = await this.server.execute<T>(command, argument, source.token);
      if (command === "agentbench.evaluate" && argument.trajectory !== undefined) await this.#remember(argument);
      return answer;
    } finally {
      link?.dispose();
      this.#running.delete(source);
      source.dispose();
      this.#tellRunning();
    }
  }

  /** Evaluates against a trajectory that the user picks, unless there is one in the argument. Tells failures. */
  async evaluate(argument: Argument): Promise<Report | undefined> {
    return await reporting(async () => {
      if (!(await trusted())) return undefined;
      const trajectory = argument.trajectory ?? (await this.pickTrajectory(argument.task));
      if (trajectory === undefined) return undefined;
      return await this.run<Report>("agentbench.evaluate", { ...argument, trajectory });
    });
  }

  /** The trajectory to use: the only one, or what the user picks or browses to. */
  async pickTrajectory(task: string, always = false): Promise<string | undefined> {
    const found = await this.server.ask<Candidate[]>("agentbench/trajectories", { task });
    const only = found[0];
    if (!always && found.length === 1 && only !== undefined) return only.uri;
    const chosen = this.state.get<Record<string, string>>(CHOSEN, {})[task];
    const items: Pick[] = found.map(({ uri, name, reason }) => ({
      label: `$(history) ${name}`,
      description: uri === chosen ? `${reason}; chosen last time` : reason,
      detail: vscode.workspace.asRelativePath(vscode.Uri.parse(uri)),
      uri,
    }));
    items.sort((a, b) => Number(b.uri === chosen) - Number(a.uri === chosen));
    if (chosen !== undefined && !found.some(({ uri }) => uri === chosen)) {
      const file = vscode.Uri.parse(chosen);
      items.unshift({ label: `$(history) ${path.posix.basename(file.path)}`, description: "chosen last time", detail: vscode.workspace.asRelativePath(file), uri: chosen });
    }
    items.push({ label: "Browse…", kind: vscode.QuickPickItemKind.Separator }, { label: "$(folder-opened) Browse…", description: "any recorded run" });
    const name = path.posix.basename(vscode.Uri.parse(task).path);
    const picked = await vscode.window.showQuickPick(items, { title: `Evaluate ${name}`, placeHolder: "Against which recorded run?", matchOnDescription: true });
    if (picked === undefined) return undefined;
    return picked.uri ?? (await browse(task));
  }

  /** Ends everything that runs. */
  cancel(): void {
    for (const source of this.#running) source.cancel();
  }

  async #remember(argument: Argument): Promise<void> {
    await this.state.update(LAST, argument);
    const chosen = this.state.get<Record<string, string>>(CHOSEN, {});
    await this.state.update(CHOSEN, { ...chosen, [argument.task]: argument.trajectory });
    await vscode.commands.executeCommand("setContext", "agentbench.hasLast", true);
  }

  #tellRunning(): void {
    void vscode.commands.executeCommand("setContext", "agentbench.evaluating", this.#running.size > 0);
  }
}

async function browse(task: string): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({
    title: "A recorded run",
    defaultUri: vscode.Uri.joinPath(vscode.Uri.parse(task), ".."),
    filters: { Trajectories: ["json"] },
  });
  return picked?.[0]?.toString();
}

/** Evaluating for the user: which trajectory, one run after another, cancel, and what was evaluated last. */

import * as vscode from "vscode";
import { nameOf, shownPath } from "./places";
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
  async run<T>(command: Command, argument: Argument, ...outer: vscode.CancellationToken[]): Promise<T | undefined> {
    if (!(await trusted())) return undefined;
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => {
      source.cancel();
    };
    const links = outer.map((token) => token.onCancellationRequested(cancel));
    this.#running.add(source);
    this.#tellRunning();
    try {
      const answer = await this.server.execute<T>(command, argument, source.token);
      if (command === "agentbench.evaluate" && argument.trajectory !== undefined) await this.#remember(argument);
      return answer;
    } finally {
      for (const link of links) link.dispose();
      this.#running.delete(source);
      source.dispose();
      this.#tellRunning();
    }
  }

  /** Evaluates against the trajectory of the argument, else as `pickTrajectory` says. Tells failures. */
  async evaluate(argument: Argument, always = false): Promise<Report | undefined> {
    return await reporting(async () => {
      if (!(await trusted())) return undefined;
      const trajectory = argument.trajectory ?? (await this.pickTrajectory(argument.task, always));
      if (trajectory === undefined) return undefined;
      return await this.run<Report>("agentbench.evaluate", { ...argument, trajectory });
    });
  }

  /** The only trajectory there is (`always`: asks all the same), or what the user picks or browses to. */
  async pickTrajectory(task: string, always = false): Promise<string | undefined> {
    const found = await this.server.ask<Candidate[]>("agentbench/trajectories", { task });
    const only = found[0];
    if (!always && found.length === 1 && only !== undefined) return only.uri;
    const chosen = this.state.get<Record<string, string>>(CHOSEN, {})[task];
    const items: Pick[] = found.map(({ uri, name, reason }) => ({
      label: `$(history) ${name}`,
      description: uri === chosen ? `${reason}; chosen last time` : reason,
      detail: shownPath(uri),
      uri,
    }));
    items.sort((a, b) => Number(b.uri === chosen) - Number(a.uri === chosen));
    if (chosen !== undefined && !found.some(({ uri }) => uri === chosen)) {
      items.unshift({ label: `$(history) ${nameOf(chosen)}`, description: "chosen last time", detail: shownPath(chosen), uri: chosen });
    }
    items.push({ label: "Browse…", kind: vscode.QuickPickItemKind.Separator }, { label: "$(folder-opened) Browse…", description: "any recorded run" });
    const picked = await vscode.window.showQuickPick(items, { title: `Evaluate ${nameOf(task)}`, placeHolder: "Against which recorded run?", matchOnDescription: true });
    if (picked === undefined) return undefined;
    return picked.uri ?? (await browseTrajectory(task));
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

/** A recording from anywhere, beginning where a task is. */
export async function browseTrajectory(task: string | undefined): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({
    title: "A recorded run",
    ...(task !== undefined && { defaultUri: vscode.Uri.joinPath(vscode.Uri.parse(task), "..") }),
    filters: { Trajectories: ["json"] },
  });
  return picked?.[0]?.toString();
}

/** The Test Explorer: runs evaluations, and shows those that were asked for elsewhere. Its results are the server's. */

import * as vscode from "vscode";
import type { Catalogue } from "../documents/catalogue";
import type { Evaluations } from "../evaluation";
import { rangeOf } from "../places";
import { isCancellation, messageOf, trusted } from "../problems";
import type { Results, Verdict } from "../results";
import type { Argument, Change, OracleResult, TaskResults } from "../server/messages";
import type { Server } from "../server/server";
import { type Selection, Tree } from "./tree";

export class Explorer implements vscode.Disposable {
  readonly controller = vscode.tests.createTestController("agentbench", "AgentBench");
  readonly tree: Tree;
  readonly #running = new Set<string>(); // URIs of tasks that a run of ours evaluates
  readonly #disposables: { dispose(): unknown }[];

  constructor(
    private readonly server: Server,
    private readonly evaluations: Evaluations,
    private readonly results: Results,
    catalogue: Catalogue,
  ) {
    this.tree = new Tree(this.controller, catalogue);
    const run = this.controller.createRunProfile("Evaluate", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    run.supportsContinuousRun = true;
    this.#disposables = [
      this.controller,
      this.tree,
      run,
      results.onDidChange((verdict) => void this.#showOther(verdict)),
    ];
  }

  /** Evaluates tasks as a run of the explorer; `trajectory` is for all of them. */
  async evaluate(tasks: string[], trajectory?: string): Promise<void> {
    const items = tasks.map((uri) => this.tree.task(uri)).filter((item) => item !== undefined);
    await this.#runOnce(new vscode.TestRunRequest(items), this.tree.selection(items), [], trajectory);
  }

  /** What the run profile does; a continuous request lasts until its token is cancelled. */
  async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (!(await trusted())) return;
    const selected = (): Selection => this.tree.selection(request.include ?? [...this.controller.items].map(([, item]) => item), request.exclude);
    if (request.continuous !== true) {
      await this.#runOnce(request, selected(), [token]);
      return;
    }
    // On every save of a task, or of the recording it was evaluated with.
    const saved = vscode.workspace.onDidSaveTextDocument((document) => {
      const uri = document.uri.toString();
      const concerned = [...selected()].filter(([task]) => task.id === uri || this.results.lastTrajectory(task.id) === uri);
      if (concerned.length > 0) void this.#runOnce(request, new Map(concerned), [token]);
    });
    token.onCancellationRequested(() => {
      saved.dispose();
    });
  }

  async #runOnce(request: vscode.TestRunRequest, selection: Selection, outer: vscode.CancellationToken[], trajectory?: string): Promise<void> {
    const run = this.controller.createTestRun(request);
    const tokens = [...outer, run.token];
    for (const task of selection.keys()) run.enqueued(task);
    try {
      for (const [task, oracles] of selection) {
        if (tokens.some((token) => token.isCancellationRequested)) run.skipped(task);
        else await this.#evaluate(run, task, oracles, tokens, trajectory);
      }
    } finally {
      run.end();
    }
  }

  async #evaluate(run: vscode.TestRun, task: vscode.TestItem, oracles: Set<vscode.TestItem> | "all", tokens: vscode.CancellationToken[], trajectory?: string): Promise<void> {
    this.#running.add(task.id);
    try {
      await this.tree.resolve(task);
      const children = [...task.children].map(([, item]) => item);
      const wanted = oracles === "all" ? children : [...oracles];
      for (const item of wanted) run.started(item);
      const argument: Argument = trajectory === undefined ? { task: task.id, ask: false } : { task: task.id, trajectory };
      if (wanted.length === children.length) await this.evaluations.run("agentbench.evaluate", argument, ...tokens);
      else for (const item of wanted) await this.evaluations.run("agentbench.evaluate", { ...argument, oracle: Tree.index(item) }, ...tokens);
      await this.#show(run, task, await this.results.refresh(task.id), wanted);
    } catch (error) {
      if (isCancellation(error)) run.skipped(task);
      else run.errored(task, new vscode.TestMessage(messageOf(error)));
    } finally {
      this.#running.delete(task.id);
    }
  }

  /** What was evaluated from a lens, the palette or on saving. */
  async #showOther({ task, results }: Verdict): Promise<void> {
    const item = this.tree.task(task);
    if (item === undefined || this.#running.has(task)) return;
    if (results === undefined) {
      this.controller.invalidateTestResults(item);
      return;
    }
    await this.tree.resolve(item);
    const held = new Set(results.oracles.map(({ index }) => index));
    const children = [...item.children].map(([, child]) => child);
    const stale = children.filter((child) => !held.has(Tree.index(child)));
    if (stale.length > 0) this.controller.invalidateTestResults(stale);
    const run = this.controller.createTestRun(new vscode.TestRunRequest([item]), undefined, false);
    await this.#show(run, item, results, children.filter((child) => held.has(Tree.index(child))));
    run.end();
  }

  async #show(run: vscode.TestRun, task: vscode.TestItem, results: TaskResults | undefined, wanted: vscode.TestItem[]): Promise<void> {
    const found = new Map(results?.oracles.map((oracle) => [oracle.index, oracle]));
    for (const item of wanted) {
      const result = found.get(Tree.index(item));
      if (result === undefined) {
        run.skipped(item);
        continue;
      }
      const milliseconds = result.seconds * 1000;
      const output = [result.output ?? "", ...result.warnings.map((warning) => `warning: ${warning}`)].join("\n").trim();
      if (output !== "") run.appendOutput(`${output.replace(/\r?\n/g, "\r\n")}\r\n`, undefined, item);
      if (result.state === "passed") run.passed(item, milliseconds);
      else if (result.state === "failed") run.failed(item, await this.#message(task, result), milliseconds);
      else run.errored(item, await this.#message(task, result), milliseconds);
    }
  }

  /** The failure on the value that failed, with the file before and after the agent. */
  async #message(task: vscode.TestItem, result: OracleResult): Promise<vscode.TestMessage> {
    let message = new vscode.TestMessage(result.message);
    if (result.comparable && result.state === "failed") {
      try {
        const { before, after } = await this.server.execute<Change>("agentbench.showDiff", { task: task.id, oracle: result.index, show: false });
        if (before !== after) message = vscode.TestMessage.diff(result.message, before ?? "", after ?? "");
      } catch {
        // The message says enough.
      }
    }
    if (task.uri) message.location = new vscode.Location(task.uri, rangeOf(result.range));
    return message;
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** Commands that evaluate: a task, one of its oracles, all tasks of a folder or manifest; baseline and bisection. */

import * as vscode from "vscode";
import type { Catalogue } from "../documents/catalogue";
import { browseTrajectory, type Evaluations } from "../evaluation";
import { nameOf, rangeOf, shownPath } from "../places";
import { reporting, trusted } from "../problems";
import type { Argument, Candidate, DocumentEntry, OracleEntry, Report } from "../server/messages";
import type { Server } from "../server/server";
import type { Explorer } from "../testing/explorer";
import { type Command, onTask } from "./task";

interface OraclePick extends vscode.QuickPickItem {
  oracle: OracleEntry;
}

export interface Parts {
  server: Server;
  evaluations: Evaluations;
  catalogue: Catalogue;
  explorer: Explorer;
}

/** The commands by id. */
export function evaluating({ server, evaluations, catalogue, explorer }: Parts): Record<string, Command> {
  return {
    evaluateAgainst: onTask(catalogue, ({ uri }) => evaluations.evaluate({ task: uri }, true)),
    evaluateLast: async () => {
      const { last } = evaluations;
      if (last === undefined) return await vscode.window.showInformationMessage("AgentBench: nothing has been evaluated in this workspace yet.");
      return await evaluations.evaluate(last);
    },
    evaluateOracle: onTask(catalogue, async (task) => {
      const oracle = await theOracle(task);
      return oracle === undefined ? undefined : await evaluations.evaluate({ task: task.uri, oracle: oracle.index });
    }),
    evaluateAll: (called) =>
      reporting(async () => {
        if (!(await trusted())) return;
        const tasks = await theTasks(catalogue, called);
        if (tasks.length === 0) return void vscode.window.showInformationMessage("AgentBench: there are no tasks there.");
        const trajectory = await forAll(server, catalogue, tasks);
        if (trajectory === undefined) return;
        await vscode.commands.executeCommand("workbench.view.testing.focus");
        await explorer.evaluate(tasks, trajectory === "" ? undefined : trajectory);
      }),
    checkBaseline: onTask(catalogue, async ({ uri }) => {
      const report = await evaluations.run<Report>("agentbench.baseline", { task: uri });
      if (report?.passed === true) void vscode.window.showWarningMessage("AgentBench: every oracle passes before the agent does anything: the task measures nothing.");
      else if (report !== undefined) void vscode.window.setStatusBarMessage("$(check) Something fails before the agent, as it should", 5000);
      return report;
    }),
    bisectOracle: onTask(catalogue, async (task) => {
      const oracle = await theOracle(task);
      if (oracle === undefined) return undefined;
      const trajectory = await evaluations.pickTrajectory(task.uri);
      return trajectory === undefined ? undefined : await bisect(evaluations, { task: task.uri, trajectory, oracle: oracle.index });
    }),
    cancelEvaluation: () => {
      evaluations.cancel();
      return Promise.resolve();
    },
    clearResults: () => reporting(() => server.execute("agentbench.clear", {})),
  };
}

/** Bisects, and says what was found. */
export async function bisect(evaluations: Evaluations, argument: Argument): Promise<unknown> {
  const found = await evaluations.run<{ status: string; step: number | null; runs: number }>("agentbench.bisect", argument);
  if (found === undefined) return undefined;
  const told = {
    broken: `the command passes until step ${found.step ?? "?"}`,
    passes: "the command passes now: it does not fail every time",
  }[found.status];
  const open = "Open the Step";
  const buttons = found.step === null ? [] : [open];
  void vscode.window.showInformationMessage(`AgentBench: ${told ?? "the command has never passed"} (${found.runs} runs)`, ...buttons).then((button) => {
    if (button === open) void vscode.commands.executeCommand("agentbench.showStep", { ...argument, step: found.step });
  });
  return found;
}

/** The oracle at the cursor, else the one that is picked. */
async function theOracle({ uri, oracles = [] }: DocumentEntry): Promise<OracleEntry | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() === uri) {
    const cursor = editor.selection.active;
    const here = oracles.find(({ range }) => rangeOf(range).contains(cursor));
    if (here !== undefined) return here;
  }
  const items: OraclePick[] = oracles.map((oracle) => ({ label: `${oracle.index}: ${oracle.type}`, description: oracle.target, oracle }));
  return (await vscode.window.showQuickPick(items, { title: "AgentBench", placeHolder: "Which oracle?", matchOnDescription: true }))?.oracle;
}

/** URIs of the tasks of a folder, of a manifest, or of those that are picked. */
async function theTasks(catalogue: Catalogue, called: unknown): Promise<string[]> {
  let uri = called instanceof vscode.Uri ? called : undefined;
  if (uri === undefined) {
    const folders = [...new Set(catalogue.tasks.map((task) => vscode.Uri.joinPath(vscode.Uri.parse(task.uri), "..").toString()))].sort();
    const manifests = catalogue.entries.filter(({ kind }) => kind === "manifest").map((entry) => entry.uri);
    const items = [...folders.map((each) => ["folder", each]), ...manifests.map((each) => ["list-unordered", each])].map(([icon = "", each = ""]) => ({
      label: `$(${icon}) ${shownPath(each)}`,
      uri: vscode.Uri.parse(each),
    }));
    uri = items.length === 1 ? items[0]?.uri : (await vscode.window.showQuickPick(items, { title: "Evaluate All Tasks", placeHolder: "In which folder, or of which manifest?" }))?.uri;
  }
  if (uri === undefined) return [];
  const manifest = catalogue.entries.find((entry) => entry.kind === "manifest" && entry.uri === uri.toString());
  if (manifest !== undefined) return (await catalogue.one(manifest.uri))?.tasks ?? [];
  const below = uri.toString().replace(/\/?$/, "/");
  return catalogue.tasks.map((task) => task.uri).filter((task) => task.startsWith(below));
}

/** The trajectory for all tasks; empty for the likeliest of each, undefined where none is picked. */
async function forAll(server: Server, catalogue: Catalogue, tasks: string[]): Promise<string | undefined> {
  const counts = new Map<string, { name: string; count: number }>();
  for (const task of tasks) {
    for (const { uri, name: label } of await server.ask<Candidate[]>("agentbench/trajectories", { task })) {
      counts.set(uri, { name: label, count: (counts.get(uri)?.count ?? 0) + 1 });
    }
  }
  for (const { uri, kind } of catalogue.entries) {
    // A recording of no task in particular may be one of all.
    if (kind === "trajectory" && !counts.has(uri)) counts.set(uri, { name: nameOf(uri), count: tasks.length });
  }
  const shared = [...counts].filter(([, { count }]) => count > 1 || tasks.length === 1).sort(([, a], [, b]) => b.count - a.count);
  const browse = "$(folder-opened) Browse…";
  const items = [
    { label: "$(sparkle) The likeliest recording of each", uri: "" },
    ...shared.map(([uri, { name: label, count }]) => ({ label: `$(history) ${label}`, description: count < tasks.length ? `belongs to ${count} of ${tasks.length} tasks` : shownPath(uri), uri })),
    { label: browse, uri: "" },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: `Evaluate ${tasks.length} tasks`, placeHolder: "Against which recorded run?" });
  return picked?.label === browse ? await browseTrajectory(tasks[0]) : picked?.uri;
}

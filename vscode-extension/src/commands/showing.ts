/** Commands that show what an evaluation found: output, diffs, the step, the report. */

import * as vscode from "vscode";
import type * as lsp from "vscode-languageclient/node";
import type { Evaluations } from "../evaluation";
import { nameOf, rangeOf } from "../places";
import { reporting } from "../problems";
import type { Argument, Change, Changes } from "../server/messages";
import type { Server } from "../server/server";
import { showReport } from "../views/report";
import { stepTitle, type Texts } from "../views/texts";

export class Showing {
  constructor(
    private readonly server: Server,
    private readonly evaluations: Evaluations,
    private readonly texts: Texts,
  ) {}

  output(argument: Argument): Promise<unknown> {
    return reporting(async () => {
      const { text } = await this.server.execute<{ text: string }>("agentbench.showOutput", { ...argument, show: false });
      await this.texts.show(`output of oracle ${argument.oracle ?? 0} of ${nameOf(argument.task)}.txt`, text);
    });
  }

  diff(argument: Argument): Promise<unknown> {
    return reporting(async () => {
      const change = await this.server.execute<Change>("agentbench.showDiff", { ...argument, show: false });
      await this.texts.diff(change, `${change.path}: before ↔ after the agent`);
    });
  }

  step(argument: Argument): Promise<unknown> {
    return reporting(async () => {
      const place = await this.server.execute<{ uri: string; range: lsp.Range }>("agentbench.showStep", { ...argument, show: false });
      await vscode.window.showTextDocument(vscode.Uri.parse(place.uri), { selection: rangeOf(place.range) });
    });
  }

  report(argument: Argument): Promise<unknown> {
    return reporting(async () => {
      const trajectory = argument.trajectory ?? (await this.evaluations.pickTrajectory(argument.task));
      if (trajectory === undefined) return;
      const answer = await this.evaluations.run<{ html: string }>("agentbench.showReport", { ...argument, trajectory, show: false });
      if (answer !== undefined) showReport(answer.html, `Report of ${nameOf(argument.task)}`);
    });
  }

  /** All changes at once, or those of one step. */
  changes(task: string): Promise<unknown> {
    return reporting(async () => {
      const trajectory = await this.evaluations.pickTrajectory(task);
      if (trajectory === undefined) return;
      const found = await this.server.ask<Changes>("agentbench/changes", { task, trajectory });
      if (found.steps.length === 0) return void vscode.window.showInformationMessage("AgentBench: the agent changed no file.");
      const all = `$(diff-multiple) All changes: ${found.files.length} ${found.files.length === 1 ? "file" : "files"}`;
      const items = [{ label: all, step: undefined }, ...found.steps.map((step) => ({ label: `$(diff) ${stepTitle(step)}`, step }))];
      const picked = await vscode.window.showQuickPick(items, { title: `${nameOf(task)} against ${nameOf(trajectory)}`, placeHolder: "Initial against replayed, or step by step" });
      if (picked === undefined) return;
      if (picked.step !== undefined) await this.texts.diff(picked.step, stepTitle(picked.step));
      else await this.texts.diffs(found.files, `${nameOf(task)}: before ↔ after ${nameOf(trajectory)}`);
    });
  }
}

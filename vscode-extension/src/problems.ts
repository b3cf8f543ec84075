/** Telling the user of failures: once, where they asked for something, with a way on. */

import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient/node";

const QUIET = new Set([-32800, -32802]); // cancelled, by the user or for a newer one

/** Runs what the user asked for; a failure is shown, a cancellation is not. */
export async function reporting<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    tell(error);
    return undefined;
  }
}

/** Whether an error only says that something was cancelled. */
export function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof ResponseError && QUIET.has(error.code));
}

/** The text of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function tell(error: unknown): void {
  if (isCancellation(error)) return;
  void vscode.window.showErrorMessage(`AgentBench: ${messageOf(error)}`, "Show Logs").then((button) => {
    if (button !== undefined) void vscode.commands.executeCommand("agentbench.showLogs");
  });
}

/** True where evaluating is allowed; else the user is told, with the button that allows it. */
export async function trusted(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = "Manage Workspace Trust";
  const told = "AgentBench does not evaluate tasks in Restricted Mode: they run commands. Their checks go on.";
  if ((await vscode.window.showWarningMessage(told, manage)) === manage) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
  return false;
}

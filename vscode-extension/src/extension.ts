/** What VS Code starts: the parts, and what connects them. All that is known of tasks is known by the server. */

import * as vscode from "vscode";
import { bisect, evaluating } from "./commands/evaluating";
import { importSession } from "./commands/importSession";
import { newTask, newTaskFromFolder } from "./commands/newTask";
import { selectInterpreter } from "./commands/selectInterpreter";
import { Showing } from "./commands/showing";
import { onTask } from "./commands/task";
import { Catalogue } from "./documents/catalogue";
import { Detection } from "./documents/detection";
import { whenNeeded } from "./documents/relevance";
import { Evaluations } from "./evaluation";
import { reporting } from "./problems";
import { Results } from "./results";
import { type Handlers, middleware } from "./server/middleware";
import { onChoice } from "./server/pythonExtension";
import { Server } from "./server/server";
import { Status } from "./status";
import { Explorer } from "./testing/explorer";
import { Texts } from "./views/texts";
import { fileCommands } from "./workspaceFiles/commands";
import { WorkspaceFiles } from "./workspaceFiles/provider";

/** What `activate` gives back: for the tests, nothing else may rely on it. */
export interface Api {
  server: Server;
  results: Results;
  explorer: Explorer;
  status: Status;
  catalogue: Catalogue;
}

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel("AgentBench", { log: true });
  const handlers: Handlers = new Map();
  const started = (server = new Server(context, log, middleware(handlers)));
  const evaluations = new Evaluations(started, context.workspaceState);
  const results = new Results(started);
  const catalogue = new Catalogue(started);
  const explorer = new Explorer(started, evaluations, results, catalogue);
  const status = new Status(started, results);
  const texts = new Texts();
  const showing = new Showing(started, evaluations, texts);

  handlers.set("agentbench.evaluate", (argument) => evaluations.evaluate(argument));
  handlers.set("agentbench.baseline", (argument) => reporting(() => evaluations.run("agentbench.baseline", argument)));
  handlers.set("agentbench.bisect", (argument) => reporting(() => bisect(evaluations, argument)));
  handlers.set("agentbench.showOutput", (argument) => showing.output(argument));
  handlers.set("agentbench.showDiff", (argument) => showing.diff(argument));
  handlers.set("agentbench.showStep", (argument) => showing.step(argument));
  handlers.set("agentbench.showReport", (argument) => showing.report(argument));

  const commands: Record<string, (called?: unknown, more?: unknown) => unknown> = {
    ...evaluating({ server: started, evaluations, catalogue, explorer }),
    ...fileCommands(catalogue, started),
    openReport: onTask(catalogue, ({ uri }) => showing.report({ task: uri })),
    showChanges: onTask(catalogue, ({ uri }) => showing.changes(uri)),
    newTask: () => newTask(started),
    newTaskFromFolder: (called) => newTaskFromFolder(started, called),
    importSession: (called) => importSession(started, called),
    selectInterpreter,
    restartServer: () => started.restart(),
    showLogs: () => {
      log.show();
    },
  };
  for (const [name, command] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(`agentbench.${name}`, command));
  }

  context.subscriptions.push(
    log,
    results,
    catalogue,
    explorer,
    status,
    texts,
    new WorkspaceFiles(started),
    new Detection(started, log),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      // Other settings count now, of the interpreter too; where it stays the server is only told.
      void started.interpreterChanged().then(() => {
        started.tell("agentbench/trust", { trusted: true });
      });
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("agentbench.importStrategy")) void started.restart();
      else if (event.affectsConfiguration("agentbench.interpreter")) void started.interpreterChanged();
    }),
    started.onDidChangeState(({ kind }) => {
      if (kind !== "running") return;
      const offered = started.client.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
      void vscode.commands.executeCommand("setContext", "agentbench.canImport", offered.includes("agentbench.import"));
    }),
  );
  context.subscriptions.push(
    whenNeeded(() => {
      if (started.state.kind === "idle") void started.restart();
    }),
  );
  void onChoice(() => void started.interpreterChanged()).then((listener) => context.subscriptions.push(listener));
  return { server: started, results, explorer, status, catalogue };
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}

/** The state of things in the language status: server, interpreter, last verdict. No popups. */

import * as vscode from "vscode";
import { nameOf } from "./places";
import type { Results } from "./results";
import { LANGUAGES, type Server, type ServerState } from "./server/server";

const SELECTOR: vscode.DocumentSelector = [...LANGUAGES.map((language) => ({ language })), { language: "json", pattern: "**/{tasks,trajectories}/*.json" }];

export class Status implements vscode.Disposable {
  readonly #server = vscode.languages.createLanguageStatusItem("agentbench.server", SELECTOR);
  readonly #verdict = vscode.languages.createLanguageStatusItem("agentbench.verdict", SELECTOR);
  readonly #interpreter = vscode.languages.createLanguageStatusItem("agentbench.interpreter", SELECTOR);

  constructor(server: Server, results: Results) {
    this.#server.name = "AgentBench server";
    this.#verdict.name = "AgentBench verdict";
    this.#interpreter.name = "AgentBench interpreter";
    this.#interpreter.command = { title: "Select", command: "agentbench.selectInterpreter" };
    this.#showServer(server.state);
    this.#showVerdict(results);
    server.onDidChangeState((state) => {
      this.#showServer(state);
    });
    results.onDidChange(() => {
      this.#showVerdict(results);
    });
  }

  /** What is shown, for tests. */
  get texts(): string[] {
    return [this.#server.text, this.#verdict.text, this.#interpreter.text];
  }

  #showServer(state: ServerState): void {
    this.#server.busy = state.kind === "starting";
    this.#server.severity = state.kind === "stopped" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.#server.command = state.kind === "stopped" ? { title: "Restart", command: "agentbench.restartServer" } : { title: "Logs", command: "agentbench.showLogs" };
    this.#server.detail = state.kind === "stopped" ? state.reason : vscode.workspace.isTrusted ? "" : "Restricted Mode: checks only";
    this.#server.text = { idle: "AgentBench is not started: there is no task here", starting: "AgentBench is starting", running: "AgentBench is running", stopped: "AgentBench is not running" }[state.kind];
    this.#interpreter.text = state.kind === "running" ? `Python ${state.interpreter.version}` : "no Python yet";
    this.#interpreter.detail = state.kind === "running" ? `${state.interpreter.path} (${state.interpreter.source})` : "";
  }

  #showVerdict({ last }: Results): void {
    if (last?.results === undefined) {
      this.#verdict.text = "no verdict yet";
      this.#verdict.detail = "";
      return;
    }
    const { of, oracles, trajectory } = last.results;
    const failed = oracles.filter(({ state }) => state !== "passed").length;
    const evaluated = oracles.length < of ? `${oracles.length} evaluated of ${of}` : `${of}`;
    this.#verdict.text = failed > 0 ? `$(error) ${failed} of ${evaluated} oracles failed` : `$(pass) all ${evaluated} oracles passed`;
    this.#verdict.detail = `${nameOf(last.task)} against ${nameOf(trajectory)}`;
  }

  dispose(): void {
    for (const item of [this.#server, this.#verdict, this.#interpreter]) item.dispose();
  }
}

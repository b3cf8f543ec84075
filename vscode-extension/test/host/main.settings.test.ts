/** Each setting does what it says, without a restart where none is needed. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import { PAGES, codeOf, codes, extension, open, replace, run, settings, settled, step, task, tidy, until, write } from "./helpers";

describe("settings", () => {
  let api: Api;

  before(async () => {
    api = await extension();
  });

  afterEach(tidy);

  const withSetting = async (name: string, value: unknown, work: () => Promise<unknown>): Promise<void> => {
    await settings().update(name, value, vscode.ConfigurationTarget.Global);
    try {
      await work();
    } finally {
      await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
    }
  };

  it("severity, ignoreRules", async () => {
    const uri = await write("s.task.json", task({ type: "no_network", extra: 1 }));
    await open("s.task.json");
    const severity = (): vscode.DiagnosticSeverity | undefined => vscode.languages.getDiagnostics(uri).find((each) => codeOf(each) === "unknown-param")?.severity;
    await until("it is a warning", () => severity() === vscode.DiagnosticSeverity.Warning);
    await withSetting("severity", { "unknown-param": "error" }, () => until("it is an error", () => severity() === vscode.DiagnosticSeverity.Error));
    await withSetting("ignoreRules", ["unknown-param"], () => until("it is off", () => severity() === undefined));
    await until("it is back", () => severity() === vscode.DiagnosticSeverity.Warning);
  });

  it("codeLenses, inlayHints, workspaceDiagnostics", async () => {
    const document = await open(PAGES);
    await until("it is a task", () => document.languageId === "agentbench-task");
    const lenses = async (): Promise<number> => (await run<unknown[]>("vscode.executeCodeLensProvider", document.uri)).length;
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = async (): Promise<number> => (await run<unknown[]>("vscode.executeInlayHintProvider", document.uri, whole)).length;
    await withSetting("codeLenses", false, () => until("there are none", async () => (await lenses()) === 0));
    await withSetting("inlayHints", false, () => until("there are none", async () => (await hints()) === 0));
    await until("both are back", async () => (await lenses()) > 0 && (await hints()) > 0);
    const uri = await write("tasks/unopened.json", task({ type: "nope" }));
    await until("it is found", () => codes(uri).length);
    await withSetting("workspaceDiagnostics", false, () => until("it is not looked at", () => codes(uri).length === 0));
    await vscode.workspace.fs.delete(uri);
  });

  it("evaluateOnSave, baselineOnSave", async () => {
    await write("o.trajectory.json", { steps: [step("a.txt", "beta\n")] });
    const uri = await write("o.task.json", task({ type: "file_not_modified", path: "a.txt" }, { type: "assertion_exists", path: "a.txt", pattern: "alpha" }));
    const document = await open("o.task.json");
    await withSetting("evaluateOnSave", true, async () => {
      await replace(document, '"n"', '"m"');
      await document.save();
      await until("it failed", () => codes(uri).includes("oracle-failed"));
    });
    await run("agentbench.clearResults");
    await until("it is cleared", () => !codes(uri).includes("oracle-failed"));
    await withSetting("baselineOnSave", true, async () => {
      await replace(document, '"m"', '"n"');
      await document.save();
      await until("it passes at the baseline", () => codes(uri).includes("passes-at-baseline"));
    });
  });

  it("sandbox is told to the server, and interpreter restarts it only if it changes", async () => {
    const state = api.server.state;
    assert.ok(state.kind === "running");
    const { client } = api.server;
    await withSetting("interpreter", state.interpreter.path, async () => {
      await settled();
      assert.equal(api.server.client, client, "the same interpreter is no other");
    });
    const python = execFileSync(state.interpreter.path, ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
    await withSetting("interpreter", python, () => until("it runs by the setting", () => api.server.state.kind === "running" && api.server.state.interpreter.source === "setting"));
    await until("it runs again", () => api.server.state.kind === "running" && api.server.state.interpreter.source !== "setting");
  });

  it("importStrategy takes the server from the environment, or the bundle where there is none", async () => {
    const { client } = api.server;
    await withSetting("importStrategy", "fromEnvironment", () => until("it was restarted", () => api.server.state.kind === "running" && api.server.client !== client));
    await until("it runs", () => api.server.state.kind === "running");
  });
});

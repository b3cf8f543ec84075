/** A session of an agent becomes a trajectory, and a task. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extension, file, open, run, tidy, until, write } from "./helpers";

const session = (root: string): string => {
  const about = { sessionId: "s", cwd: root, version: "2.0.0" };
  const call = { type: "tool_use", id: "1", name: "Write", input: { file_path: `${root}/new.txt`, content: "a line of the agent\n" } };
  const result = { type: "tool_result", tool_use_id: "1", content: "done" };
  const records = [
    { ...about, type: "user", uuid: "a", message: { role: "user", content: "Write it." } },
    { ...about, type: "assistant", uuid: "b", message: { id: "m", role: "assistant", content: [call] } },
    { ...about, type: "user", uuid: "c", message: { role: "user", content: [result] }, toolUseResult: { type: "create", filePath: `${root}/new.txt`, content: "a line of the agent\n" } },
  ];
  return records.map((record) => JSON.stringify(record)).join("\n") + "\n";
};

async function there(uri: vscode.Uri): Promise<boolean> {
  return await vscode.workspace.fs.stat(uri).then(() => true, () => false);
}

describe("import", () => {
  before(async () => {
    await extension();
  });

  afterEach(async () => {
    await tidy();
    for (const name of ["run.jsonl", "run.trajectory.json", "run.task.json"]) {
      if (await there(file(name))) await vscode.workspace.fs.delete(file(name));
    }
  });

  it("makes a task that the session's own run passes, and shows it", async () => {
    const uri = await write("run.jsonl", session("/home/me/project"));
    const made = await run<{ task: string; trajectory: string }>("agentbench.import", { session: uri.toString(), task: true });
    assert.equal(vscode.Uri.parse(made.task).path, file("run.task.json").path);
    await until("the task is shown", () => vscode.window.activeTextEditor?.document.uri.path === file("run.task.json").path);
    const report = await run<{ passed: boolean }>("agentbench.evaluate", { task: made.task, trajectory: made.trajectory });
    assert.equal(report.passed, true);
    const again = await run<{ passed: boolean }>("agentbench.evaluate", { task: made.task, trajectory: uri.toString() });
    assert.equal(again.passed, true);
  });

  it("offers to import a session that is open, and shows its steps", async () => {
    const uri = await write("run.jsonl", session("/home/me/project"));
    await open("run.jsonl");
    const titles = async (): Promise<string[]> => (await run<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri)).map(({ command }) => command?.title ?? "");
    await until("the lenses are there", async () => (await titles()).includes("Import as trajectory"));
    const symbols = await run<vscode.DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", uri);
    assert.deepEqual(symbols.map(({ name }) => name), ["0: Write"]);
  });

  it("asks what to make of a session", async () => {
    const uri = await write("run.jsonl", session("/home/me/project"));
    const done = run("agentbench.importSession", uri);
    await until("the first answer, a trajectory, is taken", async () => {
      await run("workbench.action.acceptSelectedQuickOpenItem");
      return await there(file("run.trajectory.json"));
    });
    await done;
    assert.equal(await there(file("run.task.json")), false);
  });
});

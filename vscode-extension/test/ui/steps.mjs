// What a user sees and does, with a picture of each step. The README's pictures are among them.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { VSCode } from "../editor/vscode.mjs";
import { stepper, Ui } from "./page.mjs";

const PATIENCE = 30_000; // milliseconds; for something that hangs, not a budget
const PAGES = "tasks/01_pagination_off_by_one.json";

/** Counts of steps. AGENTBENCH_PICTURES names the folder that the README's pictures go to. */
export async function uiTests({ editor, vsix, shots, workspace }) {
  console.log("\n# ui");
  const folder = workspace();
  mkdirSync(path.join(folder, "project/tests"), { recursive: true });
  writeFileSync(path.join(folder, "project/app.py"), "def double(x):\n    return x + x\n");
  writeFileSync(path.join(folder, "project/tests/test_app.py"), "from app import double\n\n\ndef test_double():\n    assert double(2) == 4\n");
  writeFileSync(path.join(folder, "project/logo.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]));
  writeFileSync(path.join(folder, "project/.gitignore"), "*.log\n");
  writeFileSync(path.join(folder, "project/noise.log"), "x");
  const counts = { passed: 0, failed: 0 };
  const step = stepper(counts, shots);
  const code = await VSCode.start(editor, { vsix, settings: { "workbench.colorTheme": "Default Dark Modern" } });
  try {
    const page = await code.open(folder, [["openFile", code.uri(path.join(folder, PAGES))]]);
    page.setDefaultTimeout(PATIENCE);
    const ui = new Ui(page);
    step.page = page;
    await steps(step.take, ui, page, folder);
    await step.take("asks no other host", async () => assert.deepEqual([...code.outside], []));
  } finally {
    await code.stop();
  }
  const missing = { "agentbench.interpreter": "/nowhere/python" };
  const restricted = await VSCode.start(editor, { vsix, trust: false, settings: { "workbench.colorTheme": "Default Dark Modern" }, machine: missing });
  try {
    const page = await restricted.open(folder, [["openFile", restricted.uri(path.join(folder, PAGES))]]);
    page.setDefaultTimeout(PATIENCE);
    step.page = page;
    await restrictedSteps(step.take, new Ui(page), page);
  } finally {
    await restricted.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return counts;
}

async function steps(step, ui, page, folder) {
  const task = JSON.parse(readFileSync(path.join(folder, PAGES), "utf8"));
  await page.locator(".editor-instance .view-lines").first().waitFor({ timeout: 60_000 });

  await step("a task has its language and its lenses", async () => {
    await page.locator(".statusbar-item", { hasText: "AgentBench Task" }).waitFor();
    await page.locator(".codelens-decoration a", { hasText: "Evaluate against" }).first().waitFor();
  });

  await step("evaluate against a picked trajectory, failures inline", async () => {
    await ui.palette("AgentBench: Evaluate Against Trajectory");
    await ui.row("weakened_tests").waitFor();
    await ui.row("weakened_tests").click();
    await page.locator(".codelens-decoration a", { hasText: "2 of 3 failed" }).waitFor();
    await page.locator(".squiggly-error").first().waitFor();
    await ui.palette("Problems: Focus on Problems View");
    await page.locator(".markers-panel .monaco-list-row", { hasText: "was modified" }).first().waitFor();
  });

  await step("the language status tells the verdict", async () => {
    await page.locator(".statusbar-item", { hasText: "{}" }).first().hover().catch(() => undefined);
    await page.locator("[id='status.languageStatus']").hover();
    await page.locator(".hover-language-status", { hasText: "2 of 3 oracles failed" }).first().waitFor();
  });

  await step("a quick fix leads on", async () => {
    await page.locator(".markers-panel .monaco-list-row", { hasText: "was modified" }).first().dblclick();
    await page.keyboard.press("Escape"); // the hover
    await ui.line('"type": "file_not_modified"').click();
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget", { hasText: "Show the diff of the protected file" }).waitFor();
  });

  await step("the diff editor shows what the agent did", async () => {
    await page.keyboard.press("Escape");
    await ui.palette("AgentBench: Show What the Agent Changed");
    await ui.row("weakened_tests").click();
    await ui.row("step 1 (str_replace)").click();
    await page.locator(".monaco-diff-editor").first().waitFor();
    await page.locator(".monaco-diff-editor .char-delete, .monaco-diff-editor .line-delete").first().waitFor();
  });

  await step("the Test Explorer has the same verdict", async () => {
    await page.keyboard.press("Control+j"); // the panel makes room
    await ui.palette("Testing: Focus on Test Explorer View");
    await page.locator(".test-explorer .monaco-list-row", { hasText: "tasks" }).first().click();
    await page.keyboard.press("ArrowRight");
    const row = page.locator(".test-explorer .monaco-list-row", { hasText: task.id }).first();
    await row.click();
    await page.keyboard.press("ArrowRight");
    await page.locator(".test-explorer .monaco-list-row", { hasText: "file_not_modified" }).first().waitFor();
    await page.locator(".test-explorer .codicon-testing-failed-icon").first().waitFor();
  });

  await step("the Test Explorer runs all tasks", async () => {
    await ui.palette("AgentBench: Evaluate All Tasks");
    await ui.row("tasks").click();
    await ui.row("careful_agent").click();
    await page.locator(".test-explorer .codicon-testing-passed-icon").nth(5).waitFor({ timeout: 90_000 });
    await page.locator(".test-explorer .codicon-loading, .test-explorer .codicon-testing-queued-icon").first().waitFor({ state: "detached", timeout: 90_000 });
  });

  await step("a workspace file is a file", async () => {
    await ui.palette("Explorer: Focus on Files Explorer").catch(() => undefined);
    await ui.palette("View: Close All Editors");
    await ui.palette("Go to File");
    const input = page.locator(".quick-input-widget input.input");
    await input.fill("01_pagination_off_by_one.json");
    await ui.row("01_pagination_off_by_one.json").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".statusbar-item", { hasText: "AgentBench Task" }).waitFor();
    await ui.palette("AgentBench: Edit Workspace File");
    await ui.row("tests/test_pages.py").waitFor();
    const first = Object.keys(task.workspace).find((name) => name.endsWith("pages.py") && !name.startsWith("tests"));
    await ui.row(first).click();
    await page.locator(".statusbar-item", { hasText: "Python" }).waitFor();
    await page.locator(".tab.active", { hasText: path.basename(first) }).waitFor();
  });

  await step("saving writes the task", async () => {
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# \"quoted\"\n");
    await page.keyboard.press("Control+s");
    await page.locator(".tab.active:not(.dirty)").waitFor();
    const saved = () => Object.values(JSON.parse(readFileSync(path.join(folder, PAGES), "utf8")).workspace).some((text) => text.startsWith('# "quoted"\n'));
    for (const end = Date.now() + PATIENCE; !saved(); await page.waitForTimeout(50)) assert.ok(Date.now() < end, "the task on disk holds the line");
  });

  await step("a new task from a folder", async () => {
    await page.keyboard.press("Control+Shift+e");
    const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "project" }).first();
    await row.click({ button: "right" });
    await page.locator(".monaco-menu .action-label", { hasText: "New Task From Folder" }).click({ delay: 300 }); // a menu ignores what comes at once
    await ui.row("logo.png").waitFor();
    assert.match(await ui.row("logo.png").innerText(), /binary/);
    assert.equal(await ui.row("noise.log").count(), 0);
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget", { hasText: "The id of the task" }).waitFor();
    await page.locator(".quick-input-widget input.input").fill("double");
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: "double.task.json" }).waitFor();
    const made = JSON.parse(readFileSync(path.join(folder, "tasks/double.task.json"), "utf8"));
    assert.deepEqual(Object.keys(made.workspace).sort(), [".gitignore", "app.py", "tests/test_app.py"]);
    assert.deepEqual(made.oracles.map(({ type }) => type), ["test_must_pass", "file_not_modified", "no_network"]);
  });

  await step("rename a workspace file, oracles follow", async () => {
    await ui.palette("AgentBench: Rename Workspace File");
    await ui.row("tests/test_app.py").click();
    await page.locator(".quick-input-widget input.input").fill("tests/test_double.py");
    await page.keyboard.press("Enter");
    const renamed = () => readFileSync(path.join(folder, "tasks/double.task.json"), "utf8");
    for (const end = Date.now() + PATIENCE; renamed().includes("test_app.py"); await page.waitForTimeout(50)) assert.ok(Date.now() < end, "the old name is gone");
    assert.equal(renamed().match(/tests\/test_double\.py/g).length, 3);
  });

  await step("delete a workspace file, asked once", async () => {
    await ui.palette("AgentBench: Delete Workspace File");
    await ui.row(".gitignore").click();
    await page.locator(".monaco-dialog-box", { hasText: "Delete .gitignore" }).waitFor();
    await page.locator(".dialog-buttons .monaco-button", { hasText: "Delete" }).click();
    const gone = () => !(".gitignore" in JSON.parse(readFileSync(path.join(folder, "tasks/double.task.json"), "utf8")).workspace);
    for (const end = Date.now() + PATIENCE; !gone(); await page.waitForTimeout(50)) assert.ok(Date.now() < end, "the file is gone");
  });

  await step("completion of an oracle type", async () => {
    await page.locator(".tab", { hasText: "double.task.json" }).first().click();
    const lines = readFileSync(path.join(folder, "tasks/double.task.json"), "utf8").split("\n");
    await ui.goto(lines.findIndex((line) => line.includes('"no_network"')) + 1);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    for (let i = 0; i < "no_network".length; i++) await page.keyboard.press("Backspace");
    // Deleting may have opened the list, and asking for it again while it opens closes it.
    const row = page.locator(".suggest-widget .monaco-list-row", { hasText: "assertion_exists" }).first();
    for (const end = Date.now() + PATIENCE; !(await row.isVisible()); ) {
      assert.ok(Date.now() < end, "assertion_exists is offered");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Space");
      await row.waitFor({ timeout: 3000 }).catch(() => undefined);
    }
  });

  await step("a hover explains an oracle", async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+z");
    const lines = readFileSync(path.join(folder, "tasks/double.task.json"), "utf8").split("\n");
    await ui.goto(lines.findIndex((line) => line.includes('"file_not_modified"')) + 1);
    await page.keyboard.press("End");
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    await page.locator(".monaco-hover", { hasText: "byte for byte" }).first().waitFor();
    await page.keyboard.press("Escape");
  });

  await step("the report", async () => {
    await ui.palette("View: Close All Editors");
    const save = page.locator(".dialog-buttons .monaco-button", { hasText: "Don't Save" });
    await save.click({ timeout: 2000 }).catch(() => undefined);
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "01_pagination" }).first().click();
    await page.locator(".statusbar-item", { hasText: "AgentBench Task" }).waitFor();
    await ui.palette("AgentBench: Show Report");
    await ui.row("weakened").click();
    await page.locator(".tab", { hasText: "Report of" }).waitFor();
    const frame = page.frameLocator("iframe.webview").frameLocator("iframe");
    await frame.getByText("file_not_modified").first().waitFor();
  });

  await step("a new task", async () => {
    await ui.palette("AgentBench: New Task…");
    await page.locator(".quick-input-widget", { hasText: "The id of the task" }).waitFor();
    await page.locator(".quick-input-widget input.input").fill("../bad");
    await page.locator(".quick-input-widget", { hasText: "a letter or digit first" }).waitFor();
    await page.locator(".quick-input-widget input.input").fill("fresh");
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: "fresh.task.json" }).waitFor();
  });

  await step("the walkthrough", async () => {
    await ui.palette("View: Close All Editors");
    await ui.palette("Welcome: Open Walkthrough");
    await ui.row("Get Started with AgentBench").click();
    await page.locator(".gettingStartedContainer", { hasText: "Edit its files as files" }).waitFor();
  });
}

async function restrictedSteps(step, ui, page) {
  await step("without a Python there is a message with a button", async () => {
    const toast = page.locator(".notifications-toasts .notification-list-item", { hasText: "has to be Python 3.11 or newer" });
    await toast.waitFor({ timeout: 60_000 });
    await toast.locator(".monaco-button", { hasText: "Select Interpreter" }).click();
    await ui.row("Find one by itself").waitFor();
    await ui.row("python3").click(); // the server starts by itself
    await page.locator(".statusbar-item", { hasText: "AgentBench Task" }).waitFor();
  });

  await step("Restricted Mode checks", async () => {
    await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor({ timeout: 60_000 });
    await page.locator(".statusbar-item", { hasText: "AgentBench Task" }).waitFor();
    await ui.palette("Problems: Focus on Problems View");
    await page.locator(".markers-panel .monaco-list-row", { hasText: "unprotected-test" }).first().waitFor();
  });

  await step("Restricted Mode does not evaluate, and has the button to trust", async () => {
    await ui.palette("AgentBench: Check Baseline");
    const toast = page.locator(".notifications-toasts .notification-list-item", { hasText: "does not evaluate tasks in Restricted Mode" });
    await toast.waitFor();
    await toast.locator(".monaco-button", { hasText: "Manage Workspace Trust" }).click();
    await page.locator(".workspace-trust-editor").first().waitFor();
  });

  await step("once trusted, it evaluates", async () => {
    await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).first().click();
    await page.locator(".workspace-trust-editor", { hasText: "You trust this folder" }).waitFor();
    const over = page.locator(".workspace-trust-editor"); // it lies over the other editors
    for (const end = Date.now() + PATIENCE; (await over.count()) > 0 && (await over.isVisible()); await page.waitForTimeout(100)) {
      assert.ok(Date.now() < end, "the editor of trust closes");
      await page.getByText("You trust this folder").first().click({ timeout: 1000 }).catch(() => undefined);
      await page.keyboard.press("Escape");
    }
    await page.locator(".codelens-decoration a", { hasText: "Evaluate against" }).first().waitFor();
    await ui.palette("AgentBench: Evaluate Against Trajectory");
    await ui.row("weakened_tests").click();
    await page.locator(".codelens-decoration a", { hasText: "2 of 3 failed" }).waitFor();
  });
}

// All tests that need a real VS Code, on the .vsix as users install it: `node test/run.mjs [host] [elsewhere] [restricted] [ui]`.
// The last line is a count of what ran.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { installEditor, installPython } from "./editor/install.mjs";
import { temporary, VSCode } from "./editor/vscode.mjs";
import { uiTests } from "./ui/steps.mjs";

const extension = path.resolve(import.meta.dirname, "..");
const vsix = path.join(extension, "agentbench-lsp.vsix");
const shots = path.join(extension, "screenshots");
const wanted = process.argv.length > 2 ? process.argv.slice(2) : ["host", "elsewhere", "restricted", "ui"];
const LIMIT = 240_000; // milliseconds for one suite

if (!existsSync(vsix)) {
  console.error("there is no agentbench-lsp.vsix: npm run package");
  process.exit(2);
}
const editor = installEditor(extension);
process.env.PATH = `${installPython(extension)}${path.delimiter}${process.env.PATH}`;
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });
let passed = 0;
let failed = 0;

/** A fresh copy of this repository's tasks. */
function workspace() {
  const folder = temporary("workspace");
  cpSync(path.join(extension, "../tasks"), path.join(folder, "tasks"), { recursive: true });
  return folder;
}

/** Tests inside the extension host: mocha, with the real `vscode` API. */
async function hostTests(suite, options) {
  console.log(`\n# ${suite}`);
  const folder = options.empty ? temporary("workspace") : workspace();
  const results = path.join(folder, "..", `${path.basename(folder)}-results.json`);
  const code = await VSCode.start(editor, { vsix, driver: true, ...options, env: { AGENTBENCH_SUITE: suite, AGENTBENCH_RESULTS: results } });
  let exited;
  const exit = new Promise((resolve) => (exited = resolve));
  try {
    const payload = [["extensionDevelopmentPath", code.uri(path.join(extension, "test/host"))], ["extensionTestsPath", code.uri(path.join(extension, "out/host/index.js"))], ["skipWelcome", "true"]];
    const page = await code.open(folder, payload, async (page) => {
      await page.exposeFunction("codeAutomationLog", (type, args) => process.env.AGENTBENCH_VERBOSE && console.log(...[].concat(args)));
      await page.exposeFunction("codeAutomationExit", async (status) => exited(status));
    });
    const status = await Promise.race([exit, new Promise((resolve) => setTimeout(() => resolve("no answer in time"), LIMIT))]);
    await page.screenshot({ path: path.join(shots, `host-${suite}.png`) }).catch(() => undefined);
    if (!existsSync(results)) {
      failed += 1;
      console.log(`FAIL ${suite}: the extension host reported nothing (${status})`);
      console.log(readFileSync(path.join(code.data, "server.log"), "utf8").split("\n").slice(-30).join("\n"));
      return;
    }
    const report = JSON.parse(readFileSync(results, "utf8"));
    for (const { title, error, ms } of report) {
      if (error === null) passed += 1;
      else failed += 1;
      console.log(error === null ? `ok   ${title} (${ms} ms)` : `FAIL ${title}\n${error}`);
    }
    if (status !== 0 && report.every(({ error }) => error === null)) {
      failed += 1;
      console.log(`FAIL ${suite}: the extension host ended with ${status}`);
    }
  } finally {
    await code.stop();
    rmSync(results, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

// AGENTBENCH_GREP=text runs only the tests in the extension host whose names hold it.
if (wanted.includes("host")) await hostTests("main", {});
if (wanted.includes("elsewhere")) await hostTests("elsewhere", { empty: true });
if (wanted.includes("restricted")) await hostTests("restricted", { trust: false });
if (wanted.includes("ui")) {
  const counts = await uiTests({ editor, vsix, shots, workspace });
  passed += counts.passed;
  failed += counts.failed;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

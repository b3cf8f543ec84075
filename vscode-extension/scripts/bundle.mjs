// Puts the server and its libraries into server/libs: this repository's own code, the rest pinned with hashes.
import { execFileSync } from "node:child_process";

const candidates = process.env.AGENTBENCH_PYTHON ? [process.env.AGENTBENCH_PYTHON] : ["python3", "python"];
for (const python of candidates) {
  try {
    execFileSync(python, ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"], { stdio: "ignore" });
  } catch {
    continue;
  }
  execFileSync(python, ["scripts/bundle.py"], { stdio: "inherit" });
  process.exit(0);
}
console.error(`Python 3.11 or newer with pip is needed to bundle the server; tried ${candidates.join(", ")}`);
process.exit(1);

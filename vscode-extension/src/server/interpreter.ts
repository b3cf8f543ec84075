/** Which Python runs the server: the setting, the Python extension's choice, what is on the PATH. */

import { execFile } from "node:child_process";
import * as os from "node:os";
import * as path from "node:path";

export const OLDEST = [3, 11] as const;
const PATIENCE = 15_000; // milliseconds
const ON_PATH =
  process.platform === "win32"
    ? ["python", "python3"]
    : ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

export interface Interpreter {
  path: string;
  version: string;
  source: "setting" | "Python extension" | "PATH";
}

/** No Python can run the server; the message says what was tried. */
export class NoInterpreterError extends Error {}

export interface Wishes {
  /** The setting; empty where it is not made. */
  setting: string;
  /** The first workspace folder, which relative paths are below. */
  folder: string | undefined;
  /** What the Python extension has chosen. */
  chosen: string | undefined;
}

type Probe = (path: string) => Promise<{ path: string; version: readonly number[] }>;

/** The first Python that is new enough. A setting is meant: nothing else takes its place. */
export async function findInterpreter(wishes: Wishes, probe: Probe = ask): Promise<Interpreter> {
  const needed = `Python ${OLDEST.join(".")} or newer`;
  if (wishes.setting !== "") {
    const wanted = expand(wishes.setting, wishes.folder);
    try {
      return accept(await probe(wanted), "setting");
    } catch (error) {
      throw new NoInterpreterError(`The setting agentbench.interpreter is ${wishes.setting}: ${reason(error)}. It has to be ${needed}.`);
    }
  }
  const tried: string[] = [];
  const candidates: [string, Interpreter["source"]][] = ON_PATH.map((name) => [name, "PATH"]);
  if (wishes.chosen !== undefined) candidates.unshift([wishes.chosen, "Python extension"]);
  for (const [candidate, source] of candidates) {
    try {
      return accept(await probe(candidate), source);
    } catch (error) {
      if (!(error instanceof MissingError)) tried.push(`${candidate} ${reason(error)}`);
    }
  }
  const found = tried.length > 0 ? ` (${tried.join("; ")})` : "";
  throw new NoInterpreterError(`AgentBench needs ${needed}, and there is none on the PATH${found}.`);
}

/** The Pythons that are there: of these paths, and on the PATH. */
export async function knownInterpreters(paths: string[], probe: Probe = ask): Promise<{ path: string; version: string; fits: boolean }[]> {
  const answers = await Promise.allSettled([...paths, ...ON_PATH].map(probe));
  return answers
    .filter((answer) => answer.status === "fulfilled")
    .map(({ value: { path: python, version } }) => ({ path: python, version: version.join("."), fits: isNewEnough(version) }));
}

function isNewEnough([major = 0, minor = 0]: readonly number[]): boolean {
  return major === OLDEST[0] && minor >= OLDEST[1];
}

/** `~`, `${workspaceFolder}` and paths below the first folder; a bare name is looked up on the PATH. */
export function expand(setting: string, folder: string | undefined): string {
  let wanted = setting.replaceAll("${workspaceFolder}", folder ?? "");
  if (wanted === "~" || wanted.startsWith("~/") || wanted.startsWith("~\\")) wanted = os.homedir() + wanted.slice(1);
  if (/[\\/]/.test(wanted) && !path.isAbsolute(wanted) && folder !== undefined) return path.join(folder, wanted);
  return wanted;
}

class MissingError extends Error {}

function accept(found: { path: string; version: readonly number[] }, source: Interpreter["source"]): Interpreter {
  const version = found.version.join(".");
  if (!isNewEnough(found.version)) throw new Error(`is Python ${version}`);
  return { path: found.path, version, source };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const QUESTION = "import sys, json; print(json.dumps([sys.executable, list(sys.version_info[:3])]))";

function ask(candidate: string): ReturnType<Probe> {
  return new Promise((resolve, reject) => {
    // -S -E: nothing of the user's environment takes part, and it starts faster.
    execFile(candidate, ["-S", "-E", "-c", QUESTION], { timeout: PATIENCE, windowsHide: true }, (error, stdout) => {
      if (error) {
        if (error.code === "ENOENT") reject(new MissingError("is not there"));
        else reject(new Error(error.killed === true ? "does not answer" : "cannot be run as a Python"));
        return;
      }
      try {
        const [, version] = JSON.parse(stdout) as [string, number[]];
        // Not sys.executable where a path was given: through a link a virtual environment would be lost.
        resolve({ path: candidate, version });
      } catch {
        reject(new Error("does not answer like a Python"));
      }
    });
  });
}

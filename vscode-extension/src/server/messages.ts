/** The server's own messages; docs/features.md of the project lists them. */

import type * as lsp from "vscode-languageclient/node";

export type Kind = "task" | "trajectory" | "manifest";

export interface OracleEntry {
  index: number;
  type: string;
  target: string;
  range: lsp.Range;
}

/** A document of the workspace; what follows `name` only where one document was asked for. */
export interface DocumentEntry {
  uri: string;
  kind: Kind;
  id: string | null;
  name: string | null;
  oracles?: OracleEntry[];
  files?: string[];
  tasks?: string[];
}

export interface Candidate {
  uri: string;
  name: string;
  reason: string;
}

export interface OracleResult {
  index: number;
  type: string;
  target: string;
  state: "passed" | "failed" | "errored";
  message: string;
  warnings: string[];
  range: lsp.Range;
  seconds: number;
  output: string | null;
  comparable: boolean;
  steps: { step: number; message: string; range: lsp.Range }[];
}

export interface TaskResults {
  trajectory: string;
  of: number;
  oracles: OracleResult[];
}

export interface Change {
  path: string;
  before: string | null;
  after: string | null;
}

export interface StepChange extends Change {
  step: number;
  tool: string | null;
}

export interface Changes {
  trajectory: string;
  files: Change[];
  steps: StepChange[];
}

export interface FolderFile {
  path: string;
  size: number;
  refused: string | null;
}

export interface Report {
  passed: boolean;
  tasks: { task_id: string; passed: boolean; error: string | null; oracles: { index: number; passed: boolean }[] }[];
}

/** The argument of the server's commands. */
export interface Argument {
  task: string;
  trajectory?: string;
  oracle?: number;
  ask?: boolean;
  show?: boolean;
  step?: number;
}

/** The interpreter that the Python extension (ms-python.python) has chosen, where it is installed. */

import * as vscode from "vscode";

interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const ID = "ms-python.python";

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<unknown>(ID);
  if (extension === undefined) return undefined;
  try {
    const exported: unknown = extension.isActive ? extension.exports : await extension.activate();
    return typeof exported === "object" && exported !== null && "environments" in exported ? (exported as PythonApi) : undefined;
  } catch {
    return undefined; // its failure is not ours
  }
}

/** Path of the chosen interpreter. */
export async function chosenInterpreter(folder: vscode.Uri | undefined): Promise<string | undefined> {
  const python = await api();
  if (python === undefined) return undefined;
  try {
    const active = python.environments.getActiveEnvironmentPath(folder);
    const resolved = await python.environments.resolveEnvironment(active);
    return resolved?.executable.uri?.fsPath;
  } catch {
    return undefined;
  }
}

/** Calls back when another interpreter is chosen. */
export async function onChoice(listener: () => void): Promise<vscode.Disposable> {
  const python = await api();
  return python?.environments.onDidChangeActiveEnvironmentPath(listener) ?? new vscode.Disposable(() => undefined);
}

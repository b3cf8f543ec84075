/** From the server's URIs and ranges to what VS Code and its user call them. */

import * as path from "node:path";
import * as vscode from "vscode";
import type * as lsp from "vscode-languageclient/node";

/** The name of a file. */
export function nameOf(uri: string): string {
  return path.posix.basename(vscode.Uri.parse(uri).path);
}

/** The path of a file as it is shown: below the workspace folder. */
export function shownPath(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
}

export function rangeOf({ start, end }: lsp.Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Texts that are in no file, shown read-only: outputs, and the sides of diffs. */

import * as vscode from "vscode";
import type { Change, StepChange } from "../server/messages";

export const SCHEME = "agentbench-text";
const MOST_KEPT = 400;

export class Texts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  #count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.query) ?? "";
  }

  /** A URI that shows a text; its path gives the title and the language. */
  uri(name: string, text: string): vscode.Uri {
    const query = String(++this.#count);
    this.#texts.set(query, text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= MOST_KEPT) break;
      this.#texts.delete(oldest);
    }
    return vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query });
  }

  async show(name: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri(name, text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Opens the diff editor; a side that is not there is empty. */
  async diff(change: Change, title: string): Promise<void> {
    const [before, after] = this.#sides(change);
    await vscode.commands.executeCommand("vscode.diff", before, after, title, { preview: true });
  }

  /** Opens the editor for several diffs at once. */
  async diffs(changes: Change[], title: string): Promise<void> {
    const resources = changes.map((change) => {
      const [before, after] = this.#sides(change);
      return [after, change.before === null ? undefined : before, change.after === null ? undefined : after];
    });
    await vscode.commands.executeCommand("vscode.changes", title, resources);
  }

  #sides({ path, before, after }: Change): [vscode.Uri, vscode.Uri] {
    return [this.uri(path, before ?? ""), this.uri(path, after ?? "")];
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** `step 3 (str_replace): src/app.py`. */
export function stepTitle({ step, tool, path }: StepChange): string {
  return `step ${step}${tool === null ? "" : ` (${tool})`}: ${path}`;
}

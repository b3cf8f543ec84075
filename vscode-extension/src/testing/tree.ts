/** Folder -> task -> oracle, as items of the Test Explorer. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { Catalogue } from "../documents/catalogue";
import type { DocumentEntry, OracleEntry } from "../server/messages";

const QUIET = 400; // milliseconds without an edit

export class Tree implements vscode.Disposable {
  readonly #tasks = new Map<string, vscode.TestItem>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #disposables: { dispose(): unknown }[];

  constructor(
    private readonly controller: vscode.TestController,
    private readonly catalogue: Catalogue,
  ) {
    controller.resolveHandler = async (item) => {
      if (item === undefined) await catalogue.refresh();
      else if (this.isTask(item)) await this.resolve(item);
    };
    controller.refreshHandler = () => catalogue.refresh();
    this.#disposables = [
      catalogue.onDidChange(() => {
        this.#update();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.#edited(document);
      }),
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.#edited(document);
      }),
    ];
  }

  isTask(item: vscode.TestItem): boolean {
    return this.#tasks.get(item.id) === item;
  }

  /** The item of a task by its URI. */
  task(uri: string): vscode.TestItem | undefined {
    return this.#tasks.get(uri);
  }

  /** The tasks among items and below them; an oracle is in the list of its task. */
  selection(items: Iterable<vscode.TestItem>): Map<vscode.TestItem, Set<vscode.TestItem> | "all"> {
    const found = new Map<vscode.TestItem, Set<vscode.TestItem> | "all">();
    const visit = (item: vscode.TestItem): void => {
      if (this.isTask(item)) {
        found.set(item, "all");
      } else if (item.parent !== undefined && this.isTask(item.parent)) {
        const known = found.get(item.parent);
        if (known !== "all") found.set(item.parent, (known ?? new Set()).add(item));
      } else {
        for (const [, child] of item.children) visit(child);
      }
    };
    for (const item of items) visit(item);
    return found;
  }

  /** Index of an oracle's item. */
  static index(item: vscode.TestItem): number {
    return Number(item.id.slice(item.id.lastIndexOf("#") + 1));
  }

  /** Gives a task the oracles that it has now. */
  async resolve(task: vscode.TestItem): Promise<void> {
    const entry = await this.catalogue.one(task.id);
    if (entry?.oracles === undefined) return;
    task.children.replace(entry.oracles.map((oracle) => this.#oracle(task, oracle)));
    task.busy = false;
  }

  #oracle(task: vscode.TestItem, { index, type, target, range }: OracleEntry): vscode.TestItem {
    const id = `${task.id}#${index}`;
    const label = type === "" ? `oracle ${index}` : type;
    const item = task.children.get(id) ?? this.controller.createTestItem(id, label, task.uri);
    item.label = label;
    item.description = target;
    item.sortText = String(index).padStart(5, "0");
    item.range = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
    return item;
  }

  #update(): void {
    const folders = new Map<string, DocumentEntry[]>();
    for (const entry of this.catalogue.tasks) {
      const folder = vscode.Uri.joinPath(vscode.Uri.parse(entry.uri), "..").toString();
      folders.set(folder, [...(folders.get(folder) ?? []), entry]);
    }
    const gone = new Set(this.#tasks.keys());
    const items = [...folders].map(([folder, entries]) => {
      const uri = vscode.Uri.parse(folder);
      const item = this.controller.items.get(folder) ?? this.controller.createTestItem(folder, vscode.workspace.asRelativePath(uri, true), uri);
      item.children.replace(
        entries.map((entry) => {
          gone.delete(entry.uri);
          return this.#task(entry);
        }),
      );
      return item;
    });
    for (const uri of gone) this.#tasks.delete(uri);
    this.controller.items.replace(items);
  }

  #task({ uri, id, name }: DocumentEntry): vscode.TestItem {
    const file = vscode.Uri.parse(uri);
    const item = this.#tasks.get(uri) ?? this.controller.createTestItem(uri, "", file);
    item.label = id ?? path.posix.basename(file.path);
    item.description = name ?? "";
    item.sortText = path.posix.basename(file.path);
    if (item.children.size === 0) item.canResolveChildren = true;
    this.#tasks.set(uri, item);
    if (item.children.size > 0) this.#resolveSoon(item); // what is shown is kept up to date
    return item;
  }

  #edited(document: vscode.TextDocument): void {
    const item = this.#tasks.get(document.uri.toString());
    if (item !== undefined) this.#resolveSoon(item);
  }

  #resolveSoon(item: vscode.TestItem): void {
    clearTimeout(this.#timers.get(item.id));
    this.#timers.set(
      item.id,
      setTimeout(() => {
        this.resolve(item).catch(() => undefined); // the server has just ended; the list comes anew when it is back
      }, QUIET),
    );
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

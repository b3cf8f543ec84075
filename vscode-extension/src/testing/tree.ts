/** Folder -> task -> oracle, as items of the Test Explorer. */

import * as vscode from "vscode";
import { Debounce } from "../debounce";
import type { Catalogue } from "../documents/catalogue";
import { nameOf, rangeOf } from "../places";
import type { DocumentEntry, OracleEntry } from "../server/messages";

const QUIET = 400; // milliseconds without an edit

/** Tasks, each with its oracles that are meant. */
export type Selection = Map<vscode.TestItem, Set<vscode.TestItem> | "all">;

export class Tree implements vscode.Disposable {
  readonly #tasks = new Map<string, vscode.TestItem>();
  readonly #debounce = new Debounce(QUIET);
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
      this.#debounce,
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

  /** The tasks among items and below them; an oracle is in the list of its task. What is excluded is left out. */
  selection(items: Iterable<vscode.TestItem>, excluded: readonly vscode.TestItem[] = []): Selection {
    const found: Selection = new Map();
    const visit = (item: vscode.TestItem): void => {
      if (excluded.includes(item)) return;
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
  }

  #oracle(task: vscode.TestItem, { index, type, target, range }: OracleEntry): vscode.TestItem {
    const id = `${task.id}#${index}`;
    const label = type === "" ? `oracle ${index}` : type;
    const item = task.children.get(id) ?? this.controller.createTestItem(id, label, task.uri);
    item.label = label;
    item.description = target;
    item.sortText = String(index).padStart(5, "0");
    item.range = rangeOf(range);
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
    const item = this.#tasks.get(uri) ?? this.controller.createTestItem(uri, "", vscode.Uri.parse(uri));
    item.label = id ?? nameOf(uri);
    item.description = name ?? "";
    item.sortText = nameOf(uri);
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
    this.#debounce.soon(item.id, () => {
      this.resolve(item).catch(() => undefined); // the server has just ended; the list comes anew when it is back
    });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

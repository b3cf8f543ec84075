/** `workspace[path]` of a task as a file: `agentbench-workspace:/TASK/src/app.py?URI of the task`. */

import * as vscode from "vscode";
import type * as lsp from "vscode-languageclient/node";
import { Debounce } from "../debounce";
import { nameOf } from "../places";
import { messageOf } from "../problems";
import type { Server } from "../server/server";

export const SCHEME = "agentbench-workspace";
const QUIET = 150; // milliseconds without a change of the task
const RETRIES = 3;

interface Known {
  text: string;
  mtime: number;
}

/** Reads through the server, writes as an edit of the task that can be undone. */
export class WorkspaceFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #known = new Map<string, Known>();
  readonly #disposables: { dispose(): unknown }[];
  readonly #debounce = new Debounce(QUIET);
  #time = Date.now();

  constructor(private readonly server: Server) {
    const changedFile = (uri: vscode.Uri): void => {
      this.#taskChanged(uri.toString());
    };
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.json", true);
    this.#disposables = [
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) changedFile(document.uri);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) this.#known.delete(uri.toString());
      }),
      watcher,
      watcher.onDidChange(changedFile),
      watcher.onDidDelete(changedFile),
      this.#changed,
    ];
  }

  /** The URI of a file of a task. */
  static uri(task: string, file: string): vscode.Uri {
    const name = nameOf(task).replace(/(\.task)?\.json$/, "");
    return vscode.Uri.from({ scheme: SCHEME, path: `/${name}/${file}`, query: task });
  }

  /** Task and path of a URI. Throws FileNotFound. */
  static parts(uri: vscode.Uri): { task: string; path: string } {
    const file = uri.path.split("/").slice(2).join("/");
    if (uri.query === "" || file === "") throw vscode.FileSystemError.FileNotFound(uri);
    return { task: uri.query, path: file };
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, mtime } = await this.#read(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#read(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array, options: { create: boolean; overwrite: boolean }): Promise<void> {
    const there = await this.#read(uri).then(() => true, () => false);
    if (!there && !options.create) throw vscode.FileSystemError.FileNotFound(uri);
    if (there && !options.overwrite) throw vscode.FileSystemError.FileExists(uri);
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    } catch {
      throw new Error("A workspace file is UTF-8 text, and this is not: choose the encoding UTF-8.");
    }
    const target = WorkspaceFiles.parts(uri);
    await this.#apply(target.task, "agentbench/writeWorkspaceFile", { path: target.path, text });
    await this.#read(uri).catch(() => undefined);
  }

  async rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const source = WorkspaceFiles.parts(from);
    const target = WorkspaceFiles.parts(to);
    if (source.task !== target.task) throw new Error("A workspace file stays in its task.");
    await this.#apply(source.task, "agentbench/renameWorkspaceFile", { path: source.path, to: target.path });
    this.#changed.fire([{ type: vscode.FileChangeType.Deleted, uri: from }, { type: vscode.FileChangeType.Created, uri: to }]);
  }

  async delete(uri: vscode.Uri): Promise<void> {
    const { task, path: file } = WorkspaceFiles.parts(uri);
    await this.#apply(task, "agentbench/deleteWorkspaceFile", { path: file });
    this.#changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined); // changes of the tasks are listened to anyway
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    // Folders are there by what is in them.
  }

  async #read(uri: vscode.Uri): Promise<Known> {
    const { task, path: file } = WorkspaceFiles.parts(uri);
    let text: string;
    try {
      text = (await this.server.ask<{ text: string }>("agentbench/readWorkspaceFile", { task, path: file })).text;
    } catch (error) {
      throw vscode.FileSystemError.FileNotFound(messageOf(error));
    }
    const key = uri.toString();
    const known = this.#known.get(key);
    if (known?.text === text) return known;
    // Strictly later, so that VS Code sees that what it has is older.
    this.#time = Math.max(this.#time + 1, Date.now());
    const fresh = { text, mtime: this.#time };
    this.#known.set(key, fresh);
    return fresh;
  }

  /** Applies what the server answers to the task, and saves the task unless it has unsaved changes of its own. */
  async #apply(task: string, method: string, params: object): Promise<void> {
    const uri = vscode.Uri.parse(task);
    for (let attempt = 0; attempt < RETRIES; attempt++) {
      const document = await vscode.workspace.openTextDocument(uri);
      const wasClean = !document.isDirty;
      const { version } = document;
      const answer = await this.server.ask<lsp.WorkspaceEdit | { edit: lsp.WorkspaceEdit }>(method, { task, ...params });
      const edit = await this.server.client.protocol2CodeConverter.asWorkspaceEdit("edit" in answer ? answer.edit : answer);
      if (isNewer(document, version)) continue; // it was edited meanwhile: the positions no longer fit
      if (edit.size === 0) return;
      if (!(await vscode.workspace.applyEdit(edit))) continue;
      if (wasClean && !document.isUntitled && !(await document.save())) throw new Error(`${uri.fsPath} cannot be saved.`);
      return;
    }
    throw new Error(`${uri.fsPath} is being changed: try again.`);
  }

  #taskChanged(task: string): void {
    const concerned = [...this.#known.keys()].map((key) => vscode.Uri.parse(key)).filter(({ query }) => vscode.Uri.parse(query).toString() === task);
    if (concerned.length === 0) return;
    this.#debounce.soon(task, () => void this.#compare(concerned));
  }

  async #compare(uris: vscode.Uri[]): Promise<void> {
    const events: vscode.FileChangeEvent[] = [];
    for (const uri of uris) {
      const before = this.#known.get(uri.toString());
      try {
        if ((await this.#read(uri)) !== before) events.push({ type: vscode.FileChangeType.Changed, uri });
      } catch {
        this.#known.delete(uri.toString());
        events.push({ type: vscode.FileChangeType.Deleted, uri });
      }
    }
    if (events.length > 0) this.#changed.fire(events);
  }

  dispose(): void {
    this.#debounce.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

function isNewer(document: vscode.TextDocument, version: number): boolean {
  return document.version !== version;
}

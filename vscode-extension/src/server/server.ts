/** The language server: started, restarted, asked. */

import { execFile } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  type ErrorHandlerResult,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";
import { messageOf } from "../problems";
import { findInterpreter, type Interpreter, NoInterpreterError } from "./interpreter";
import { chosenInterpreter } from "./pythonExtension";

export const LANGUAGES = ["agentbench-task", "agentbench-trajectory", "agentbench-manifest"];
const MOST_CRASHES = 4;
const CRASH_WINDOW = 180_000; // milliseconds

/** `idle`: there has been nothing for it to do yet. */
export type ServerState =
  | { kind: "idle" }
  | { kind: "starting" }
  | { kind: "running"; interpreter: Interpreter }
  | { kind: "stopped"; reason: string };

type Listener = (params: never) => void;

/** The server is not running; the message says why. */
export class NotRunningError extends Error {}

/** One server at a time. What is registered with `onNotification` outlives restarts. */
export class Server implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<ServerState>();
  readonly #notifications = new Map<string, Listener>();
  readonly onDidChangeState = this.#changed.event;
  #client: LanguageClient | undefined;
  #state: ServerState = { kind: "idle" };
  #crashes: number[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly middleware: Middleware,
  ) {}

  get state(): ServerState {
    return this.#state;
  }

  /** The running client. Throws NotRunningError. */
  get client(): LanguageClient {
    if (this.#client?.state === State.Running) return this.#client;
    throw new NotRunningError(this.#state.kind === "stopped" ? this.#state.reason : "the language server is still starting");
  }

  /** Tells the server something, if it runs. */
  tell(method: string, params: object): void {
    if (this.#client?.state === State.Running) void this.#client.sendNotification(method, params);
  }

  /** Asks the server, once it runs; it is started if it was not. Throws NotRunningError, ResponseError. */
  async ask<T>(method: string, params: object, token?: vscode.CancellationToken): Promise<T> {
    if (this.#state.kind === "idle") await this.restart();
    await this.#queue;
    // An argument too many, even undefined, would make positional params of them.
    return await (token === undefined ? this.client.sendRequest<T>(method, params) : this.client.sendRequest<T>(method, params, token));
  }

  /** Runs a command of the server. Throws NotRunningError, ResponseError. */
  async execute<T>(command: string, argument: object, token?: vscode.CancellationToken): Promise<T> {
    return await this.ask<T>("workspace/executeCommand", { command, arguments: [argument] }, token);
  }

  /** Listens to a notification of the server, of the one that runs now and of later ones. */
  onNotification(method: string, listener: Listener): void {
    this.#notifications.set(method, listener);
    this.#client?.onNotification(method, listener as (params: unknown) => void);
  }

  /** Starts the server, in the place of one that runs. Never throws: the state tells. */
  restart(): Promise<void> {
    const work = this.#queue.then(() => this.#restart());
    this.#queue = work;
    return work;
  }

  /** Starts another server if another interpreter is to run it. */
  async interpreterChanged(): Promise<void> {
    if (this.#state.kind === "idle") return;
    const before = this.#state.kind === "running" ? this.#state.interpreter.path : undefined;
    const now = await this.#interpreter().catch(() => undefined);
    if (now?.path !== before || now === undefined) await this.restart();
  }

  async #restart(): Promise<void> {
    this.#set({ kind: "starting" });
    await this.#stop();
    let interpreter: Interpreter;
    try {
      interpreter = await this.#interpreter();
    } catch (error) {
      this.#set({ kind: "stopped", reason: messageOf(error) });
      if (error instanceof NoInterpreterError) void this.#offerInterpreter(messageOf(error));
      return;
    }
    const unfit = await this.#misfit(interpreter);
    if (unfit !== undefined) {
      this.#set({ kind: "stopped", reason: unfit });
      void this.#offerInterpreter(unfit);
      return;
    }
    this.log.info(`Python ${interpreter.version} at ${interpreter.path} (${interpreter.source})`);
    const client = this.#create(interpreter);
    this.#client = client;
    for (const [method, listener] of this.#notifications) client.onNotification(method, listener as (params: unknown) => void);
    client.onDidChangeState(({ newState }) => {
      if (this.#client !== client) return;
      if (newState === State.Running) this.#set({ kind: "running", interpreter });
      if (newState === State.Starting) this.#set({ kind: "starting" });
    });
    try {
      await client.start();
    } catch (error) {
      this.log.error(messageOf(error));
      if (this.#state.kind !== "stopped") this.#set({ kind: "stopped", reason: messageOf(error) });
    }
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    try {
      await client?.dispose(2000);
    } catch (error) {
      this.log.debug(`the server did not stop by itself: ${messageOf(error)}`);
    }
  }

  async #interpreter(): Promise<Interpreter> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const setting = vscode.workspace.getConfiguration("agentbench").get<string>("interpreter", "");
    const chosen = setting === "" ? await chosenInterpreter(folder) : undefined;
    return await findInterpreter({ setting, folder: folder?.fsPath, chosen });
  }

  get #start(): string {
    return this.context.asAbsolutePath(path.join("server", "start.py"));
  }

  get #strategy(): string {
    return vscode.workspace.getConfiguration("agentbench").get("importStrategy", "useBundled");
  }

  /** Why the bundled libraries do not work in an interpreter; undefined where they do. */
  #misfit(interpreter: Interpreter): Promise<string | undefined> {
    return new Promise((resolve) => {
      execFile(interpreter.path, [this.#start, this.#strategy, "--check"], { windowsHide: true }, (error, _, stderr) => {
        resolve(error ? (stderr.trim().split("\n").at(-1) ?? error.message) : undefined);
      });
    });
  }

  #create(interpreter: Interpreter): LanguageClient {
    const run = { command: interpreter.path, args: [this.#start, this.#strategy, "lsp", "--stdio"] };
    const options: LanguageClientOptions = {
      documentSelector: [...LANGUAGES, "json", "jsonl"].flatMap((language) => [
        { scheme: "file", language },
        { scheme: "untitled", language },
      ]),
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // Asked again when it restarts after a crash: trust may have been given since.
      initializationOptions: () => ({
        trusted: vscode.workspace.isTrusted,
        syntaxErrorsElsewhere: ["json"],
        notifyResults: true,
      }),
      middleware: this.middleware,
      markdown: { isTrusted: false },
      errorHandler: {
        error: (error): ErrorHandlerResult => {
          this.log.error(error.message);
          return { action: ErrorAction.Continue, handled: true };
        },
        closed: (): CloseHandlerResult => this.#closed(),
      },
    };
    const client = new LanguageClient("agentbench", "AgentBench", { run, debug: run }, options);
    return client;
  }

  /** The server is gone though nobody stopped it. */
  #closed(): CloseHandlerResult {
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < CRASH_WINDOW), now];
    this.log.error(`the server ended unexpectedly (${this.#crashes.length} of ${MOST_CRASHES})`);
    if (this.#crashes.length < MOST_CRASHES) {
      this.#set({ kind: "starting" });
      return { action: CloseAction.Restart, handled: true };
    }
    const reason = `The language server ended ${MOST_CRASHES} times within ${CRASH_WINDOW / 60_000} minutes.`;
    this.#set({ kind: "stopped", reason });
    void vscode.window.showErrorMessage(`AgentBench: ${reason}`, "Show Logs", "Restart Server").then((button) => {
      this.#crashes = [];
      if (button === "Show Logs") void vscode.commands.executeCommand("agentbench.showLogs");
      if (button === "Restart Server") void this.restart();
    });
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  async #offerInterpreter(reason: string): Promise<void> {
    const select = "Select Interpreter";
    const button = await vscode.window.showErrorMessage(`AgentBench: ${reason}`, select, "Try Again");
    if (button === select) await vscode.commands.executeCommand("agentbench.selectInterpreter");
    if (button === "Try Again") await this.restart();
  }

  #set(state: ServerState): void {
    this.#state = state;
    this.#changed.fire(state);
  }

  async dispose(): Promise<void> {
    await this.#stop();
    this.#changed.dispose();
  }
}

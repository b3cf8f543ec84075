/** The server's commands as VS Code runs them from lenses and quick fixes: shown with VS Code's own editors. */

import type { ExecuteCommandMiddleware, Middleware } from "vscode-languageclient/node";
import type { Argument } from "./messages";

/** What takes the place of a server command; undefined leaves it to the server. */
export type Handlers = Map<string, (argument: Argument) => Promise<unknown>>;

/** Sends commands to their handlers, and the settings as VS Code knows them. */
export function middleware(handlers: Handlers): Middleware & ExecuteCommandMiddleware {
  return {
    executeCommand: async (command, args: unknown[], next) => {
      const handler = handlers.get(command);
      return handler === undefined ? ((await next(command, args)) as unknown) : await handler((args[0] ?? {}) as Argument);
    },
    workspace: {
      // `interpreter` starts the server; what evaluates is the server's own, which is the same one.
      configuration: async (params, token, next) => {
        const answer = await next(params, token);
        if (!Array.isArray(answer)) return answer;
        return answer.map((settings: unknown) => (isObject(settings) ? { ...settings, interpreter: null } : settings));
      },
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

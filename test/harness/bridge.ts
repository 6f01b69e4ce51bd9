import type { ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { startCli, TOKEN, type CliRun } from "./cli.ts";
import { json, type Handler } from "./contract-double.ts";

/** A JSON-RPC message, as it was read from stdout. */
export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** `shipscore mcp` in a process of its own, as an MCP client starts it. */
export interface Bridge extends AsyncDisposable {
  /** Writes a message as a line, or a text as it is. */
  send(...messages: readonly (object | string)[]): void;
  /** The next message on stdout. */
  next(): Promise<RpcMessage>;
  /** Ends stdin, and waits for the process to end; stdout is what `next` did not take. */
  end(): Promise<CliRun>;
  kill(signal: NodeJS.Signals): Promise<CliRun>;
  /** Stops reading stdout, as a client that has gone. */
  closeStdout(): void;
}

export function startBridge(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Bridge {
  const child = startCli(["mcp", ...args], { SHIPSCORE_TOKEN: TOKEN, ...env });
  const { stdin, stdout } = child;
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  const reader = createInterface({ input: stdout }).on("line", (line) => {
    const wake = waiting.shift();
    if (wake) wake(line);
    else lines.push(line);
  });
  // A process that has ended takes no more lines.
  stdin.on("error", () => {});

  async function ended(): Promise<CliRun> {
    const { exitCode, stderr } = await child;
    return { exitCode, stdout: lines.map((line) => `${line}\n`).join(""), stderr };
  }

  return {
    send(...messages) {
      for (const message of messages)
        stdin.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
    },
    async next() {
      const line = lines.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
      return JSON.parse(line) as RpcMessage;
    },
    end() {
      stdin.end();
      return ended();
    },
    kill(signal) {
      child.kill(signal);
      return ended();
    },
    closeStdout() {
      reader.close();
      stdout.destroy();
    },
    async [Symbol.asyncDispose]() {
      stdin.end();
      await child;
    },
  };
}

export const request = (id: unknown, method = "tools/list", params: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
export const result = (id: unknown, value: object = {}) => ({ jsonrpc: "2.0", id, result: value });
export const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

interface Rpc {
  readonly id?: unknown;
  readonly method?: string;
}
export const read = (body: string) => JSON.parse(body) as Rpc;

/** Answers each request with an empty result, and accepts what is no request. */
export const answering: Handler = (seen, response, count) => {
  const { id, method } = read(seen.body);
  if (id === undefined || method === undefined) response.writeHead(202).end();
  else json(result(id))(seen, response, count);
};

/** Answers as an event stream; what it writes is up to the test. */
export function startEvents(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
}

import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { isRunHere, runHere, startCli, TOKEN, type CliRun } from "./cli.ts";
import { json, type Handler } from "./contract-double.ts";

/** A JSON-RPC message from stdout. */
export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A running `shipscore mcp`; the test is its MCP client. */
export interface Bridge extends AsyncDisposable {
  /** Writes each message as a line, and each text verbatim. */
  send(...messages: readonly (object | string)[]): void;
  next(): Promise<RpcMessage>;
  /** Ends stdin and waits for the command to end. The result's stdout excludes what `next` has read. */
  end(): Promise<CliRun>;
}

export interface BridgeProcess extends Bridge {
  kill(signal: NodeJS.Signals): Promise<CliRun>;
  /** Stops reading stdout, like a client that has disconnected. */
  closeStdout(): void;
}

type Env = Readonly<Record<string, string>>;

/** Starts the command in a separate process, as an MCP client does. */
export function startBridgeProcess(env: Env, args: readonly string[] = []): BridgeProcess {
  const child = startCli(["mcp", ...args], { SHIPSCORE_TOKEN: TOKEN, ...env });
  const bridge = openBridge(child.stdin, child.stdout, child);
  return {
    ...bridge,
    kill(signal) {
      child.kill(signal);
      return bridge.ended();
    },
    closeStdout() {
      bridge.reader.close();
      child.stdout.destroy();
    },
  };
}

/** Starts the command in this process. With `--mode all`, or if Node itself reads the environment, starts a separate process. */
export function startBridge(env: Env, args: readonly string[] = []): Bridge {
  if (!isRunHere(env)) return startBridgeProcess(env, args);
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const running = runHere(["mcp", ...args], { SHIPSCORE_TOKEN: TOKEN, ...env }, stdin, stdout);
  return openBridge(
    stdin,
    stdout,
    running.finally(() => stdout.end()),
  );
}

function openBridge(
  stdin: Writable,
  stdout: Readable,
  running: PromiseLike<{ readonly exitCode?: number | undefined; readonly stderr: string }>,
) {
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  const reader = createInterface({ input: stdout }).on("line", (line) => {
    const wake = waiting.shift();
    if (wake) wake(line);
    else lines.push(line);
  });
  const isRead = once(reader, "close");
  // Ignores write errors, because a command that has ended reads no more lines.
  stdin.on("error", () => {});

  async function ended(): Promise<CliRun> {
    const { exitCode, stderr } = await running;
    await isRead;
    return { exitCode, stdout: lines.map((line) => `${line}\n`).join(""), stderr };
  }
  async function end(): Promise<CliRun> {
    stdin.end();
    return ended();
  }

  return {
    reader,
    ended,
    end,
    send(...messages: readonly (object | string)[]) {
      for (const message of messages)
        stdin.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
    },
    async next() {
      const line = lines.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
      return JSON.parse(line) as RpcMessage;
    },
    async [Symbol.asyncDispose]() {
      await end();
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

/** Answers each request with an empty result, and accepts all other messages. */
export const answering: Handler = (seen, response, count) => {
  const { id, method } = read(seen.body);
  if (id === undefined || method === undefined) response.writeHead(202).end();
  else json(result(id))(seen, response, count);
};

/** Starts an answer as an event stream. The test writes the events. */
export function startEvents(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
}

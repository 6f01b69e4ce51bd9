import { createInterface } from "node:readline";
import { startCli, TOKEN, type CliRun } from "./cli.ts";

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

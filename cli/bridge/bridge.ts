/*
 * The bridge is ours rather than the SDK's: bundled and minified, StreamableHTTPClientTransport and StdioServerTransport of
 * version 2.4.0 take 713 kB (456 kB the first alone), more than the rest of the command's package, and are no shorter to use.
 */
import { once } from "node:events";
import { addAbortSignal, type Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CliError,
  describeError,
  formatError,
  networkCode,
  usageError,
} from "../terminal/errors.ts";
import { readError } from "../client/api-responses.ts";
import type { Settings } from "../client/settings.ts";
import type { Context } from "../terminal/command.ts";
import { cleanText } from "../terminal/json.ts";
import type { Io } from "../terminal/io.ts";
import { openExchange } from "./exchange.ts";
import { readLines, type Line, readMessage, type Id, type Message } from "./messages.ts";

/** The server takes no more in one message. */
const MAX_MESSAGE_BYTES = 65_536;
const MAX_CALLS = 1000;
/** How long running calls may still be answered once stdin has ended. */
const GRACE_MS = 1200;

/** JSON-RPC's codes of errors; `failed` is the first of those that are left to an implementation. */
const RPC = { notJson: -32700, invalid: -32600, failed: -32000 } as const;

/** The answer that a client gets in place of the server's. */
function describeFault(id: Id, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: cleanText(message) } });
}

const MAX_UNREAD = 100;

/** Writes lines to stderr without waiting for a reader. Clients may never read it, so what piles up is dropped. */
function openNotes(io: Io): Io["note"] {
  let unread = 0;
  return async (text) => {
    if (unread >= MAX_UNREAD) return;
    unread += 1;
    void io.note(text).finally(() => (unread -= 1));
  };
}

interface Call {
  readonly id: Id | undefined;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/**
 * Carries JSON-RPC from stdin to the server's /mcp and what it answers to stdout, until stdin ends or nobody reads stdout.
 * @throws CliError when stdin can't be read or stdout not written, and the signal's reason
 */
export async function runBridge(settings: Settings, context: Context): Promise<void> {
  const { io, signal } = context;
  const note = openNotes(io);
  const exchange = openExchange(settings, note, context.now);
  const calls = new Set<Call>();
  const end = new AbortController();
  const ended = once(end.signal, "abort");
  let unwritten: unknown;

  async function print(line: string): Promise<void> {
    try {
      if (await io.print(`${line}\n`)) return;
    } catch (error) {
      unwritten = error;
    }
    end.abort();
  }

  /** Waits for whoever reads stdout, but not past the end. */
  async function write(line: string): Promise<void> {
    await Promise.race([print(line), ended]);
  }

  async function refuse(id: Id | undefined, code: number, sentence: string): Promise<void> {
    await note(`shipscore: ${sentence}`);
    if (id !== undefined) await write(describeFault(id, code, sentence));
  }

  async function carry(message: Message, own: AbortSignal): Promise<void> {
    let isAnswered = false;
    try {
      await exchange(message, own, async ({ line, isAnswer }) => {
        if (own.aborted) return;
        isAnswered ||= isAnswer;
        await write(line);
      });
    } catch (error) {
      if (own.aborted || isAnswered) return;
      if (!(error instanceof CliError)) throw error;
      await note(formatError(error));
      const said = readError(error.body)?.error ?? describeError(error);
      if (message.id !== undefined) await write(describeFault(message.id, RPC.failed, said));
    }
  }

  function start(message: Message): void {
    const controller = new AbortController();
    const done = carry(message, controller.signal);
    const call = { id: message.id, controller, done };
    calls.add(call);
    void done.finally(() => calls.delete(call));
  }

  function cancel(id: unknown): void {
    if (id === undefined) return;
    for (const call of calls) if (call.id === id) call.controller.abort();
  }

  async function take({ text, sizeBytes }: Line): Promise<void> {
    if (text?.trim() === "") return;
    const message = text === null ? undefined : readMessage(text);
    if (sizeBytes > MAX_MESSAGE_BYTES)
      await refuse(
        message === undefined ? null : message.id,
        RPC.invalid,
        `a message of ${sizeBytes} bytes is too long. Send at most ${MAX_MESSAGE_BYTES}, which is what the server takes.`,
      );
    else if (message === undefined)
      await refuse(null, RPC.notJson, "a line on stdin is not JSON. Send one message a line.");
    else if (message.method === "notifications/cancelled") cancel(message.params.requestId);
    else if (calls.size >= MAX_CALLS)
      await refuse(
        message.id,
        RPC.failed,
        `${MAX_CALLS} calls are running. Wait for an answer before you send another.`,
      );
    else start(message);
  }

  async function readAll(): Promise<void> {
    const stdin = context.openStdin() as Readable & { readonly isTTY?: boolean };
    if (stdin.isTTY)
      await note(
        "shipscore: waiting for JSON-RPC on stdin, as an MCP client sends it. Ctrl-D ends.",
      );
    try {
      for await (const line of readLines(addAbortSignal(end.signal, stdin))) await take(line);
    } catch (error) {
      if (!end.signal.aborted)
        throw usageError(
          `stdin can't be read (${networkCode(error)})`,
          "Run it from an MCP client",
        );
    }
  }

  signal.throwIfAborted();
  signal.addEventListener("abort", () => end.abort(), { once: true });
  await readAll();
  const running = Promise.all([...calls].map(({ done }) => done));
  if (calls.size > 0 && !end.signal.aborted)
    await Promise.race([running, sleep(GRACE_MS, undefined, end).catch(() => {})]);
  end.abort();
  for (const { controller } of calls) controller.abort();
  await running;
  signal.throwIfAborted();
  if (unwritten !== undefined) throw unwritten;
}
